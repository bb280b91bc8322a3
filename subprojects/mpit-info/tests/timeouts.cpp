// What a program waits for a tool that does not read, and that it gets no signal from one that has gone.

#include "../agent/in_time.hpp"
#include "checks.hpp"

#include <string>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace {

struct pair_of_sockets {
    int ends[2];
    pair_of_sockets() { socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }
    ~pair_of_sockets() {
        close(ends[0]);
        close(ends[1]);
    }
};

} // namespace

int main() {
    const std::string much(4u << 20, 'x');
    {
        const pair_of_sockets stopped;
        check(!mpit_info::send_in_time(stopped.ends[0], much.data(), much.size(), 0.2),
              "a tool that does not read is given up");
    }
    {
        pair_of_sockets gone;
        close(gone.ends[1]);
        check(!mpit_info::send_in_time(gone.ends[0], much.data(), much.size(), 60),
              "a tool that has gone is given up, and no signal comes");
        gone.ends[1] = dup(gone.ends[0]);
    }
    {
        const pair_of_sockets slow;
        std::size_t read_so_far = 0;
        std::thread reader{[&] {
            char piece[1 << 14];
            for (ssize_t size = 1; size > 0 && read_so_far < much.size(); read_so_far += static_cast<std::size_t>(size))
                size = read(slow.ends[1], piece, sizeof piece);
        }};
        check(mpit_info::send_in_time(slow.ends[0], much.data(), much.size(), 60), "a tool that reads slowly gets all");
        reader.join();
        check(read_so_far == much.size(), "no byte is missing");
    }
    {
        // A queue that is full, as that of a tool which has stopped.
        const int listening = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX; // an address that the system chooses
        bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family);
        socklen_t length = sizeof address;
        getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length);
        listen(listening, 0);
        check(mpit_info::connect_in_time(other, reinterpret_cast<sockaddr*>(&address), length, 60),
              "a tool with room is connected to");
        const int late = socket(AF_UNIX, SOCK_STREAM, 0);
        check(!mpit_info::connect_in_time(late, reinterpret_cast<sockaddr*>(&address), length, 0.2),
              "a tool that accepts nothing is given up");
        close(late);
        close(other);
        close(listening);
    }
    return failures;
}
