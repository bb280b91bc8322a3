// SPDX-License-Identifier: BSD-3-Clause
// A channel is the part of an event or of a source that remains when the library is unloaded. The channel of an event
// has the list of the event's registrations, which every raise walks. Channels are never freed (MPI-5.0, 15.3.8).
//
//   for (subscription* receiver = channel.first.load(); receiver != nullptr; receiver = receiver->next) ...
#pragma once

#include <mpit/descriptor/event.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;
using descriptor::object_key;

class instance_queue;
struct subscription;

// An element of a payload is one basic datatype at a displacement.
struct payload_element {
    datatype type{};
    std::uint32_t displacement = 0; // offset from the beginning of the payload, in bytes
};

// Several copies of mpit use a channel, because a library that raises an event and a tool may contain different copies.
struct source_channel {
    const atomic<int>* declared = nullptr; // index among the sources of libraries; null for a clock of mpit
    std::int64_t max_ticks = INT64_MAX;
    atomic<event_channel*> first;  // head of the list of the source's events
    atomic<instance_queue*> queue; // queue of an ordered source, or null before the first registration
    // Bit l is set if a search has found that no registration with a callback for level l has unreported dropped
    // instances. The higher bits count the changes that require a new search. A change is a registration's first
    // dropped instance, or a callback that is set or removed.
    atomic<std::uint64_t> reported_levels;
    atomic<std::uint32_t> unreported; // number of registrations with unreported dropped instances
    int first_index = 0;              // index of the first source of a library, or of this clock of mpit
    core::spare_words<2> spare;

    // Makes the next raise at each safety level search for dropped instances.
    [[gnu::cold, gnu::noinline]] void reset_reported_levels() noexcept {
        std::uint64_t old = reported_levels.load();
        while (!reported_levels.compare_exchange(old, (old >> safety_count << safety_count) + (1u << safety_count))) {}
    }
    // Returns the index by which the MPI_T functions find the source.
    int index() const noexcept { return declared == nullptr ? first_index : first_index + declared->load(); }
};

// Several copies of mpit use an event_channel, for the same reason as a source_channel.
struct event_channel {
    const payload_element* elements = nullptr;
    source_channel* source = nullptr;
    atomic<subscription*> first;
    atomic<event_channel*> next_in_source{this}; // this channel until the event is published
    std::uint32_t element_count = 0;
    std::uint32_t size = 0; // size of a payload, in bytes
    bool is_ordered = false;
    core::spare_words<2> spare;
};

// Delivers an instance at once. `level` is the safety level that the context requires of callbacks. An exception that a
// callback throws leaves raise(). (raise.hpp)
void raise(descriptor::event& e, const void* payload, object_key key, safety level);
// Queues an instance, which is delivered before the next instance of the event or by deliver_deferred(). Called in
// contexts in which no callback may run.
void defer(descriptor::event& e, const void* payload, object_key key) noexcept;
// Delivers the deferred instances of an event.
void deliver_deferred(descriptor::event& e, safety level);

} // namespace internal
} // namespace mpit
