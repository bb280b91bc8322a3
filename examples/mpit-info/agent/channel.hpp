// The connection of one process to mpit-info: a socket on which each line is a JSON object. On one machine it is a
// file, "/tmp/…/socket"; from other machines "tcp:address/port/token", where the token is the first line and shows that
// the process belongs to the program; to the collector of a node "node:name". A process that has been forked from this one does not write to it.
//
//   channel to;   to.send({{"message", "end"}});
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

// A member of a request, or `otherwise` if it is missing or has another type, since any program of the user may send one.
template <class Value> Value asked(const json& request, const char* name, Value otherwise = {}) {
    try {
        return request.value(name, otherwise);
    } catch (const json::exception&) { return otherwise; }
}

class channel {
public:
    channel() {
        const char* text = std::getenv("MPIT_INFO_SOCKET");
        const std::string address = text == nullptr ? "" : text;
        if (address.rfind("tcp:", 0) == 0) open_port(address.substr(4));
        else if (address.rfind("node:", 0) == 0) kept_ = connected_to_collector(address.substr(5));
        else open_file(address);
    }
    // A connection that the tool has opened.
    explicit channel(descriptor accepted) noexcept : kept_{std::move(accepted)} {}
    channel(const channel&) = delete;
    ~channel() { close_now(); }

    bool is_open() const noexcept { return getpid() == owner_ && kept_.is_own(); }

    int number() const noexcept { return kept_.number(); }

    // Call this in a forked child: the connection belongs to its parent.
    void leave_to_parent() noexcept { kept_.close_own(); }

    // Names and descriptions of libraries may contain any bytes: invalid UTF-8 is replaced.
    void send(const json& message) {
        if (!is_open()) return;
        std::string line;
        append_text(line, message);
        line += '\n';
        send_all(line);
    }

private:
    void open_file(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.empty() || path.size() >= sizeof address.sun_path) return;
        std::strcpy(address.sun_path, path.c_str());
        keep_if(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), reinterpret_cast<sockaddr*>(&address), sizeof address);
    }
    void open_port(const std::string& address) {
        std::istringstream parts{address};
        std::string host, port, token;
        std::getline(std::getline(std::getline(parts, host, '/'), port, '/'), token);
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_socktype = SOCK_STREAM;
        wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV; // no name server is used
        if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return;
        for (const addrinfo* at = found; at != nullptr && kept_.number() < 0; at = at->ai_next)
            keep_if(socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol), at->ai_addr,
                    at->ai_addrlen);
        freeaddrinfo(found);
        if (is_open()) send_all(token + '\n');
    }
    void keep_if(int made, const sockaddr* address, socklen_t length) noexcept {
        kept_ = descriptor{made};
        if (kept_.number() >= 0 && !connect_in_time(kept_.number(), address, length)) close_now();
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
    pid_t owner_ = getpid();
};

} // namespace mpit_info
