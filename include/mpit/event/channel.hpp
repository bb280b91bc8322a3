// SPDX-License-Identifier: BSD-3-Clause
// Channels: the state of an event or a source that outlives its library. Registrations are linked to the channel of
// their event, where a raise finds them; channels are never freed (MPI-5.0, 15.3.8).
//
//   internal::event_channel& c = …;  for (subscription* l = c.first.load(); l != nullptr; l = l->next) …
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
    std::uint32_t displacement = 0; // bytes
};

// Shared, because the library that raises and the tools that are called may contain different copies, and because it
// outlives both.
struct source_channel {
    const atomic<int>* declared = nullptr; // of a library's source: its number among those
    std::int64_t max_ticks = INT64_MAX;
    atomic<event_channel*> first;  // of its events
    atomic<instance_queue*> queue; // of an ordered source, from its first registration on
    // Bit l: no registration with a callback for level l has unreported losses, since the last change. The bits above
    // count the changes: first losses of a registration, and callbacks that were set or removed.
    atomic<std::uint64_t> reported_levels;
    atomic<std::uint32_t> unreported; // registrations with losses that no handler was told of
    int first_number = 0;             // of the sources to which `declared` belongs, or its own
    core::spare_words<2> spare;

    // Losses have to be looked for again at each level.
    [[gnu::cold, gnu::noinline]] void reset_reported_levels() noexcept {
        std::uint64_t seen = reported_levels.load();
        while (!reported_levels.compare_exchange(seen, (seen >> safety_count << safety_count) + (1u << safety_count))) {
        }
    }
    // The index that tools see.
    int number() const noexcept { return declared == nullptr ? first_number : first_number + declared->load(); }
};

// Shared for the same reasons as that of a source.
struct event_channel {
    const payload_element* elements = nullptr;
    source_channel* source = nullptr;
    atomic<subscription*> first;
    atomic<event_channel*> next_of_source{this}; // itself until the event is published
    std::uint32_t element_count = 0;
    std::uint32_t size = 0; // bytes of a payload
    bool is_ordered = false;
    core::spare_words<2> spare;
};

// An event has happened. It is delivered now, at the level that the context demands. Throws what a callback throws.
// (raise.hpp)
void raise(descriptor::event& e, const void* payload, object_key key, safety level);
// An event has happened in which no callback may run. It is delivered before the next event of its kind, or by
// deliver_kept.
void keep(descriptor::event& e, const void* payload, object_key key) noexcept;
// Delivers what was kept.
void deliver_kept(descriptor::event& e, safety level);

} // namespace internal
} // namespace mpit
