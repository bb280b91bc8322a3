// The way of one process to mpit-info: a socket on which each line is a JSON object. On one machine it is a file, "/tmp/…/socket";
// from other machines "tcp:host/port/token", where the token tells mpit-info that nobody else has connected. A process that has
// been forked from this one does not write to it.
//
//   channel to;   to.send({{"message", "end"}});
#pragma once

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <netdb.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace mpit_info {

using json = nlohmann::ordered_json;

class channel {
public:
    channel() {
        const char* text = std::getenv("MPIT_INFO_SOCKET");
        const std::string address = text == nullptr ? "" : text;
        if (address.rfind("tcp:", 0) == 0) open_port(address.substr(4));
        else open_file(address);
    }
    channel(const channel&) = delete;
    ~channel() { close_now(); }

    bool is_open() const noexcept { return socket_ >= 0 && getpid() == owner_; }

    // Names and descriptions of libraries may be anything: what is no UTF-8 is replaced.
    void send(const json& message) {
        if (!is_open()) return;
        std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace);
        line += '\n';
        for (std::size_t sent = 0; sent < line.size();) {
            const ssize_t more = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
            if (more < 0 && errno == EINTR) continue;
            if (more <= 0) return close_now(); // nobody listens any more
            sent += static_cast<std::size_t>(more);
        }
    }

private:
    void open_file(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.empty() || path.size() >= sizeof address.sun_path) return;
        std::strcpy(address.sun_path, path.c_str());
        socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (socket_ >= 0 && connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) close_now();
    }
    void open_port(const std::string& address) {
        std::istringstream parts{address};
        std::string host, port, token;
        std::getline(std::getline(std::getline(parts, host, '/'), port, '/'), token);
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_socktype = SOCK_STREAM;
        if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return;
        for (const addrinfo* at = found; at != nullptr && socket_ < 0; at = at->ai_next) {
            socket_ = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
            if (socket_ >= 0 && connect(socket_, at->ai_addr, at->ai_addrlen) != 0) close_now();
        }
        freeaddrinfo(found);
        send({{"message", "token"}, {"token", token}});
    }
    void close_now() noexcept {
        if (socket_ >= 0) close(socket_);
        socket_ = -1;
    }

    int socket_ = -1;
    pid_t owner_ = getpid();
};

} // namespace mpit_info
