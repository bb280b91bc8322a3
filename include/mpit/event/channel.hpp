// SPDX-License-Identifier: BSD-3-Clause
// Channels: the state of an event or a source that outlives its library. The channel of an event has the list of its
// registrations, which a raise walks; channels are never freed (MPI-5.0, 15.3.8).
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

// An element of a payload: one basic datatype at its displacement.
struct payload_element {
    datatype type{};
    std::uint32_t displacement = 0; // in the payload, in bytes
};

// Shared, because a library that raises and a tool may have different copies of mpit, and a channel outlives both.
struct source_channel {
    const atomic<int>* declared = nullptr; // the index of a library's source among these; null for an own source
    std::int64_t max_ticks = INT64_MAX;
    atomic<event_channel*> first;  // the list of events that name the source
    atomic<instance_queue*> queue; // of an ordered source, from its first registration on
    // Bit l: since the last change, no registration with a callback for level l has dropped instances that are not
    // reported. The bits above count changes: a first dropped instance, a callback that is set or removed.
    atomic<std::uint64_t> reported_levels;
    atomic<std::uint32_t> unreported; // the number of registrations with dropped instances that are not reported
    int first_index = 0;              // the index of the first declared source; of an own source its index
    core::spare_words<2> spare;

    // Makes the next raise at each level search for dropped instances again.
    [[gnu::cold, gnu::noinline]] void reset_reported_levels() noexcept {
        std::uint64_t old = reported_levels.load();
        while (!reported_levels.compare_exchange(old, (old >> safety_count << safety_count) + (1u << safety_count))) {}
    }
    // Returns the index of the source, as tools see it.
    int index() const noexcept { return declared == nullptr ? first_index : first_index + declared->load(); }
};

// Shared for the reasons that source_channel is.
struct event_channel {
    const payload_element* elements = nullptr;
    source_channel* source = nullptr;
    atomic<subscription*> first;
    atomic<event_channel*> next_in_source{this}; // itself until the event is published
    std::uint32_t element_count = 0;
    std::uint32_t size = 0; // of a payload, in bytes
    bool is_ordered = false;
    core::spare_words<2> spare;
};

// Delivers an instance now, at the level of the context. An exception of a callback passes through. (raise.hpp)
void raise(descriptor::event& e, const void* payload, object_key key, safety level);
// Defers an instance until the next one of the event, or deliver_deferred(). For contexts in which no callback may run.
void defer(descriptor::event& e, const void* payload, object_key key) noexcept;
// Delivers the deferred instances.
void deliver_deferred(descriptor::event& e, safety level);

} // namespace internal
} // namespace mpit
