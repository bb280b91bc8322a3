// The connection of one process to mpit-info: a socket on which each line is a JSON object. On one machine it is a
// file, "/tmp/…/socket"; from other machines "tcp:address/port/token", where the token is the first line and shows that
// the process belongs to the program; to the collector of a node "node:name". A process that has been forked from this
// one does not write to it.
//
//   channel to;   to.connect();   to.send({{"message", "end"}});
#pragma once

#include "descriptor.hpp"
#include "in_time.hpp"
#include "json_text.hpp"
#include "node_collector.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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

// A member of a request, or `otherwise` if it is missing or has another type, since any program of the user may send
// one.
template <class Value> Value asked(const json& request, const char* name, Value otherwise = {}) {
    try {
        return request.value(name, otherwise);
    } catch (const json::exception&) { return otherwise; }
}

class channel {
public:
    // Not connected yet: it has its descriptor, so that connect() opens none. That to a collector opens one.
    channel() {
        const char* text = std::getenv("MPIT_INFO_SOCKET");
        const std::string address = text == nullptr ? "" : text;
        if (address.rfind("tcp:", 0) == 0) open_port(address.substr(4));
        else if (address.rfind("node:", 0) == 0) collector_ = address.substr(5);
        else open_file(address);
    }
    // A connection that the tool has opened.
    explicit channel(descriptor accepted) noexcept : kept_{std::move(accepted)} {}
    channel(const channel&) = delete;
    ~channel() { close_now(); }

    // Once. Returns false if the tool cannot be reached.
    bool connect() {
        if (!collector_.empty()) kept_ = connected_to_collector(collector_);
        else if (!is_open()) return false;
        else if (!connect_in_time(kept_.number(), reinterpret_cast<const sockaddr*>(&address_), length_)) close_now();
        else if (!token_.empty()) send_all(token_ + '\n');
        return is_open();
    }

    bool is_open() const noexcept { return getpid() == owner_ && kept_.is_own(); }

    int number() const noexcept { return kept_.number(); }

    // Call this in a forked child: the connection belongs to its parent.
    void leave_to_parent() noexcept { kept_.close_own(); }

    // Names and descriptions of libraries may contain any bytes: invalid UTF-8 is replaced.
    void send(const json& message) {
        std::string line;
        append_text(line, message);
        send_line(std::move(line));
    }
    // The text of a message.
    void send_line(std::string line) {
        if (is_open()) send_all(line += '\n');
    }

private:
    void open_file(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.empty() || path.size() >= sizeof address.sun_path) return;
        std::strcpy(address.sun_path, path.c_str());
        keep(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), &address, sizeof address);
    }
    void open_port(const std::string& address) {
        std::istringstream parts{address};
        std::string host, port;
        std::getline(std::getline(std::getline(parts, host, '/'), port, '/'), token_);
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_socktype = SOCK_STREAM;
        wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV; // no name server is used
        if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return;
        // A number has one address.
        keep(socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol), found->ai_addr,
             found->ai_addrlen);
        freeaddrinfo(found);
    }
    void keep(int made, const void* address, socklen_t length) noexcept {
        kept_ = descriptor{made};
        length_ = std::min(length, static_cast<socklen_t>(sizeof address_));
        std::memcpy(&address_, address, length_);
    }
    // The program may close the descriptor at any moment, and have another file of this number.
    void send_all(const std::string& line) noexcept {
        constexpr std::size_t piece = 1 << 16;
        for (std::size_t sent = 0; sent < line.size(); sent += piece)
            if (!is_open() || !send_in_time(kept_.number(), line.data() + sent, std::min(piece, line.size() - sent)))
                return close_now();
    }
    void close_now() noexcept { kept_.close_own(); }

    descriptor kept_;
    sockaddr_storage address_{};
    socklen_t length_ = 0;
    std::string token_, collector_;
    pid_t owner_ = getpid();
};

} // namespace mpit_info
