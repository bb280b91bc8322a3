// A small messaging layer over libfabric: endpoints that send messages to each other, without connections. Small
// messages may overtake large ones.
//
//   fabric::endpoint here{[](const char* data, std::size_t size) { … }};
//   const auto peer = here.reach(address_of_the_other);
//   while (!here.send(peer, data, size)) here.progress();
//   while (!here.is_idle()) here.progress();                        // now `data` can be used again
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace fabric {

inline constexpr std::size_t largest_message = 1 << 16;

class endpoint {
public:
    using address = std::vector<char>; // as it is sent to others, by whatever they have in common
    using peer = std::uint64_t;

    // Opens one of the providers of FABRIC_PROVIDER; throws std::runtime_error if none of them works.
    explicit endpoint(std::function<void(const char* data, std::size_t size)> arrived);
    ~endpoint();

    const char* provider() const;
    address own_address() const;
    peer reach(const address& of_other);

    // Returns false if the queue of messages under way is full: call progress() and try again. `data` must stay
    // as it is until is_idle().
    bool send(peer to, const void* data, std::size_t size);
    // Completes what can be completed, and calls `arrived` for each message.
    void progress();
    bool is_idle() const;

private:
    struct parts; // of libfabric
    std::unique_ptr<parts> parts_;
};

// Publishes the parameters of libfabric that are not published yet. The library does it when it is loaded, and when an
// endpoint is opened: a provider may define its parameters when a program first requests it.
void publish_parameters();

} // namespace fabric
