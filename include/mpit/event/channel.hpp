// SPDX-License-Identifier: BSD-3-Clause
// A channel is the part of an event or of an event source that remains when the library is unloaded. The channel of an
// event contains the list of the event's registrations, and every raise walks this list. Channels are never freed,
// because tools may still have registrations for the event (MPI-5.0, 15.3.8).
//
//   for (subscription* receiver = channel.first.load(); receiver != nullptr; receiver = receiver->next) ...
#pragma once

#include <mpit/descriptor/event.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;
using descriptor::object_key;

class instance_queue;
struct subscription;

// One element of an event's payload, which has a basic datatype and a displacement.
struct payload_element {
    datatype type{};
    std::uint32_t displacement = 0; // offset from the beginning of the payload, in bytes
};

// Different copies of mpit share a channel, because an event's library and a tool may each contain a copy of mpit.
struct source_channel {
    const atomic<int>* declared = nullptr; // index among the sources of libraries; null for a clock of mpit
    std::int64_t max_ticks = INT64_MAX;
    atomic<event_channel*> first;  // head of the list of the source's events
    atomic<instance_queue*> queue; // queue of an ordered source, or null before the first registration
    // If bit l is set, a raise at safety level l skips the search for registrations with unreported dropped instances.
    // A search at level l that finds no registration sets bit l. The higher bits count changes, each of which clears
    // the bits of all levels. A registration that drops its first instance makes a change, and so does setting or
    // removing a callback.
    atomic<std::uint64_t> reported_levels;
    atomic<std::uint32_t> unreported; // number of registrations with unreported dropped instances
    int first_index = 0;              // index of the first source of a library, or of this clock of mpit
    core::spare_words<2> spare;

    // Makes the next raise at each safety level search for registrations with unreported dropped instances.
    [[gnu::cold, gnu::noinline]] void reset_reported_levels() noexcept {
        std::uint64_t old = reported_levels.load();
        while (!reported_levels.compare_exchange(old, (old >> safety_count << safety_count) + (1u << safety_count))) {}
    }
    // Returns the index of the event source in the MPI_T functions.
    int index() const noexcept { return declared == nullptr ? first_index : first_index + declared->load(); }
};

// Different copies of mpit also share event channels.
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

// Delivers an event instance during the call. `level` is the safety level that the context of the raise requires of
// callbacks. If a callback throws an exception, raise() passes the exception on. (raise.hpp)
void raise(descriptor::event& e, const void* payload, object_key key, safety level);
// Queues an event instance in a context in which no callback may run. The instance is delivered by deliver_deferred(),
// or before the event's next instance.
void defer(descriptor::event& e, const void* payload, object_key key) noexcept;
// Delivers an event's instances that defer() has queued.
void deliver_deferred(descriptor::event& e, safety level);

} // namespace internal
} // namespace mpit
