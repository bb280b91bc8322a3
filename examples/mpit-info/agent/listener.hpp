// The socket on which a sleeping agent waits for the tool: an abstract name of the user and the process, "mpit-info/UID/PID".
// It disappears with the process, so that none is ever left behind. Only processes of the same user are accepted.
//
//   listener at;   if (at.is_open()) { channel to{at.accept()}; … }
#pragma once

#include "descriptor.hpp"

#include <cstddef>
#include <cstdio>
#include <sys/socket.h>
#include <sys/un.h>

namespace mpit_info {

class listener {
public:
    listener() noexcept {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        // The first byte of an abstract name is a null.
        const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "mpit-info/%u/%d",
                                         static_cast<unsigned>(geteuid()), static_cast<int>(getpid()));
        kept_ = descriptor{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
        const socklen_t size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1) + static_cast<socklen_t>(length);
        if (kept_.number() >= 0 && (bind(kept_.number(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
                                    listen(kept_.number(), most_waiting) != 0))
            kept_.close_own();
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
    // Call this in a forked child, and at the end.
    void close() noexcept { kept_.close_own(); }

private:
    static constexpr int most_waiting = 8;

    static bool is_of_this_user(int connection) noexcept {
        ucred peer{};
        socklen_t size = sizeof peer;
        return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
    }

    descriptor kept_;
};

} // namespace mpit_info
