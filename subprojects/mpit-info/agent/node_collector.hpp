// The connection to the collector of this node, which listens on an abstract socket. The first process of a job that
// finds none starts it: MPIT_INFO_COLLECTOR has the words of its command line, one a line. The others wait for it.
//
//   descriptor to = connected_to_collector("mpit-info/1000/node/27fe");   if (to.number() < 0) …
#pragma once

#include "clock.hpp"
#include "descriptor.hpp"
#include "in_time.hpp"

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sched.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <vector>

namespace mpit_info {

// The address of an abstract name; of length 0 if the name is too long.
struct abstract_address {
    explicit abstract_address(const std::string& name) noexcept {
        address.sun_family = AF_UNIX;
        // The first byte of an abstract name is a null.
        if (name.size() >= sizeof address.sun_path) return;
        std::memcpy(address.sun_path + 1, name.data(), name.size());
        length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    }
    const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }

    sockaddr_un address{};
    socklen_t length = 0;
};

// Starts a command without the program noticing: its parent is another process, which ends at once, sends no SIGCHLD
// and is not seen by wait(). It has no preloaded library.
class unseen_child {
public:
    // The words are separated by ends of lines.
    explicit unseen_child(const std::string& words) {
        for (std::size_t begin = 0, end = 0; begin <= words.size(); begin = end + 1) {
            end = std::min(words.find('\n', begin), words.size());
            texts_.push_back(words.substr(begin, end - begin));
        }
        for (std::string& each : texts_) arguments_.push_back(each.data());
        arguments_.push_back(nullptr);
        for (char** each = environ; each != nullptr && *each != nullptr; each++)
            if (std::strncmp(*each, "LD_PRELOAD=", 11) != 0 && std::strncmp(*each, "LD_AUDIT=", 9) != 0)
                environment_.push_back(*each);
        environment_.push_back(nullptr);
    }
    // Returns false if it could not be started.
    bool start() {
        const std::unique_ptr<char[]> first{new char[size_of_stack]}, second{new char[size_of_stack]};
        stack_ = second.get() + size_of_stack;
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        // Both share the memory until the second one has become the command; the first one has no signal for its end.
        const int pid = clone(&unseen_child::leave, first.get() + size_of_stack, CLONE_VM | CLONE_VFORK, this);
        if (pid > 0)
            while (waitpid(pid, nullptr, static_cast<int>(__WCLONE)) < 0 && errno == EINTR) {}
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return pid > 0 && is_started_;
    }
    static void pause() noexcept {
        constexpr timespec ten_milliseconds{0, 10'000'000};
        nanosleep(&ten_milliseconds, nullptr);
    }

private:
    static constexpr std::size_t size_of_stack = 1 << 16;

    static int leave(void* argument) noexcept {
        unseen_child& self = *static_cast<unseen_child*>(argument);
        self.is_started_ = clone(&unseen_child::become, self.stack_, CLONE_VM | CLONE_VFORK | SIGCHLD, argument) > 0;
        self.is_started_ = self.is_started_ && !self.has_failed_;
        _exit(0);
    }
    static int become(void* argument) noexcept {
        unseen_child& self = *static_cast<unseen_child*>(argument);
        // Handlers of the program must not run here; signals that it ignores stay ignored.
        for (int number = 1; number < NSIG; number++) {
            struct sigaction now;
            if (sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN || now.sa_handler == SIG_DFL)
                continue;
            now = {};
            now.sa_handler = SIG_DFL;
            sigaction(number, &now, nullptr);
        }
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        execve(self.arguments_[0], self.arguments_.data(), self.environment_.data());
        self.has_failed_ = true;
        _exit(127);
    }

    std::vector<std::string> texts_;
    std::vector<char*> arguments_, environment_;
    char* stack_ = nullptr;
    // The other processes write them before this one goes on.
    volatile bool is_started_ = false, has_failed_ = false;
};

// A connection to the collector that is there, of this user; a closed one if there is none.
inline descriptor connected_now(const std::string& name) {
    const abstract_address to{name};
    descriptor made{to.length == 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (made.number() < 0) return made;
    ucred peer{};
    socklen_t size = sizeof peer;
    if (!connect_in_time(made.number(), to.get(), to.length) ||
        getsockopt(made.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
        made.close_own();
    return made;
}

// The same, after the collector was started here or by another process of this node; closed if that takes too long.
inline descriptor connected_to_collector(const std::string& name) {
    descriptor made = connected_now(name);
    const char* const words = std::getenv("MPIT_INFO_COLLECTOR");
    if (made.number() >= 0 || words == nullptr || *words == '\0') return made;
    // The process with this name starts the collector.
    const abstract_address place{name + "/starting"};
    descriptor claim{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const bool is_mine =
        claim.number() >= 0 && place.length != 0 && bind(claim.number(), place.get(), place.length) == 0;
    if (is_mine && !unseen_child{words}.start()) return made;
    for (const double end = seconds_of(CLOCK_MONOTONIC) + patience;
         made.number() < 0 && seconds_of(CLOCK_MONOTONIC) < end;) {
        unseen_child::pause();
        made = connected_now(name);
    }
    return made;
}

} // namespace mpit_info
