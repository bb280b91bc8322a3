// The socket on which a sleeping agent waits for the tool: a file in a directory that only its user can open, so that
// no other user can take the name or connect: /dev/shm/mpit-info-UID, or one in XDG_RUNTIME_DIR, or, where another user
// has taken these names, one with a random end. Its name has the namespace of processes and the number of the process
// in it: "4026531836-1234". The file of a process that was killed stays until the tool or a process of this number
// removes it.
//
//   listener at;   if (at.is_open()) { channel to{at.accept()}; … }
#pragma once

#include "descriptor.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace mpit_info {

class listener {
public:
    listener() noexcept {
        const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
        if (listen_in("/dev/shm", false) || (runtime != nullptr && *runtime == '/' && listen_in(runtime, false)))
            return;
        listen_in("/dev/shm", true);
    }
    bool is_open() const noexcept { return kept_.is_own(); }
    int number() const noexcept { return kept_.number(); }

    // The connection of a process of the same user; a closed one if there is none.
    descriptor accept() noexcept {
        if (!is_open()) return {};
        descriptor made{accept4(kept_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
        if (made.number() >= 0 && !is_of_this_user(made.number())) made.close_own();
        return made;
    }
    // Call this at the end.
    void close() noexcept {
        if (owner_ == getpid() && is_bound_) remove();
        is_bound_ = false;
        leave_to_parent();
    }
    // Call this in a forked child.
    void leave_to_parent() noexcept { kept_.close_own(); }

private:
    static constexpr int most_waiting = 8;

    bool listen_in(const char* place, bool is_random) noexcept {
        char folder[sizeof address_.sun_path];
        const int length = std::snprintf(folder, sizeof folder, "%s/mpit-info-%u%s", place,
                                         static_cast<unsigned>(geteuid()), is_random ? "-XXXXXX" : "");
        if (length >= static_cast<int>(sizeof folder) ||
            !(is_random ? mkdtemp(folder) != nullptr : is_own_folder(folder)))
            return false;
        const int whole = std::snprintf(address_.sun_path, sizeof address_.sun_path, "%s/%s-%d", folder,
                                        namespace_of_processes().digits, static_cast<int>(owner_));
        if (whole >= static_cast<int>(sizeof address_.sun_path)) return false;
        is_random_ = is_random;
        unlink(address_.sun_path); // of a former program of this process, or of an ended process of this number
        kept_ = descriptor{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
        is_bound_ = kept_.number() >= 0 &&
                    bind(kept_.number(), reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0;
        // The mask of the program may take all rights from it.
        if (is_bound_ && chmod(address_.sun_path, S_IRUSR | S_IWUSR) == 0 && listen(kept_.number(), most_waiting) == 0)
            return true;
        close();
        return false;
    }
    // A directory with other files stays.
    void remove() noexcept {
        unlink(address_.sun_path);
        *std::strrchr(address_.sun_path, '/') = '\0';
        if (is_random_) rmdir(address_.sun_path);
    }
    // Makes the directory, or finds one that belongs to the user alone.
    static bool is_own_folder(const char* path) noexcept {
        if (mkdir(path, S_IRWXU) == 0) return chmod(path, S_IRWXU) == 0;
        struct stat found;
        return errno == EEXIST && lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
               (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    }
    struct namespace_number {
        char digits[32];
    };
    // Two namespaces of processes have processes of the same numbers.
    static namespace_number namespace_of_processes() noexcept {
        char link[64] = "";
        const ssize_t length = readlink("/proc/self/ns/pid", link, sizeof link - 1);
        namespace_number made{"0"};
        if (length > 0) std::sscanf(link, "pid:[%31[0-9]", made.digits);
        return made;
    }
    static bool is_of_this_user(int connection) noexcept {
        ucred peer{};
        socklen_t size = sizeof peer;
        return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
    }

    const pid_t owner_ = getpid();
    sockaddr_un address_{AF_UNIX, {}};
    bool is_bound_ = false, is_random_ = false;
    descriptor kept_;
};

} // namespace mpit_info
