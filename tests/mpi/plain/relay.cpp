// The library: C++17. Some of its globals are computed when the program starts.
#include "relay.hpp"
#include <cstdlib>
#include <thread>

namespace relay {
int window = 64;
int shards = static_cast<int>(std::thread::hardware_concurrency());
bool registers_memory = std::getenv("RELAY_NO_REGISTRATION") == nullptr;
protocol way = std::getenv("RELAY_EAGER") != nullptr ? protocol::eager : protocol::rendezvous;
} // namespace relay

extern "C" int relay_send(unsigned long bytes) {
    relay::count(bytes);
    return bytes == 0 ? -1 : 0;
}
