// Connects and sends for a thread of the program, which never waits longer than `patience` for a tool that has stopped:
// mpit-info may be stopped, or slower than the program. Raises no signal.
//
//   if (!send_in_time(socket, line.data(), line.size())) close(socket);   // and the program goes on without mpit-info
#pragma once

#include "clock.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace mpit_info {

// Seconds without a sent byte. Time in which the program itself is stopped does not count: each poll is shorter.
constexpr double patience = 10;
constexpr int look = 500; // milliseconds

// Returns false if nothing can be sent within the time.
inline bool has_room_in_time(int socket, double seconds) noexcept {
    for (double waited = 0; waited < seconds;) {
        const double began = seconds_of(CLOCK_MONOTONIC);
        pollfd one{socket, POLLOUT, 0};
        const int ready = poll(&one, 1, look);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        waited += std::min(seconds_of(CLOCK_MONOTONIC) - began, 2e-3 * look);
    }
    return false;
}

inline bool send_in_time(int socket, const char* data, std::size_t size, double seconds = patience) noexcept {
    while (size > 0) {
        const ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
        } else if (sent == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) ||
                   (errno != EINTR && !has_room_in_time(socket, seconds))) {
            return false;
        }
    }
    return true;
}

// A file that is a socket has a queue of those that connect; a machine may be out of reach.
inline bool connect_in_time(int socket, const sockaddr* address, socklen_t length, double seconds = patience) noexcept {
    timeval limit{};
    limit.tv_sec = static_cast<time_t>(seconds);
    limit.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(limit.tv_sec)) * 1e6);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return connect(socket, address, length) == 0;
}

} // namespace mpit_info
