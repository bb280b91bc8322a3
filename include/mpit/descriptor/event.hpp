// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of events and of the sources of their time stamps (MPI-5.0, 15.3.8).
//
//   descriptor::event& event = ...;  event.payload.count;  event.listening.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/payload.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {
struct event_channel;
struct source_channel;
} // namespace internal

namespace MPIT_MODULE_LOCAL descriptor {

// The clock for the time stamps of an event, which is the cycle counter, the monotonic clock, or an author's clock.
enum class clock_kind : std::uint8_t { cycles, steady, own };

// Reads the clock of a source, in ticks. Must be async-signal-safe if signal handlers raise events of the source.
using clock_function = std::int64_t (*)();

struct source : item {
    mpit::ordering ordering = mpit::ordering::unordered;
    clock_function clock = nullptr; // null for the monotonic clock, converted to ticks of this source
    std::int64_t ticks_per_second = 1'000'000'000;
    std::int64_t max_ticks = INT64_MAX;
    core::atomic<internal::source_channel*> channel; // null until the source is registered
    core::spare_words<1> spare;

protected:
    constexpr source(category* parent, core::checked_name new_name, text new_text) noexcept
        : item{kind::source, new_name, new_text} {
        parent->adopt(*this);
    }
};

struct event;

struct event_operations {
    object_key (*key)(const void* object_handle);                   // null for unbound events
    void* (*locate)(event&, object_key, std::uint32_t& generation); // returns null if the object does not exist
    core::spare_words<2> spare{};
};

struct event : variable {
    core::payload_view payload;
    source* event_source = nullptr; // the source, if `clock` is clock_kind::own
    const event_operations* operations = nullptr;
    core::atomic<internal::event_channel*> channel; // null until the event is registered
    core::atomic<std::uint32_t> listening;          // number of registrations of the event
    core::atomic<clock_kind> clock{clock_kind::cycles};
    core::spare_words<1> spare;

    // Returns true if a tool has registered for the event. Otherwise a library need not prepare the members of the
    // payload. The function is one load. Any thread and any signal handler may call the function.
    bool is_watched() const noexcept { return listening.load(core::relaxed) != 0; }

protected:
    constexpr event(category* parent, core::checked_name new_name, text new_text) noexcept
        : variable{kind::event, parent, new_name, new_text} {}
};

} // namespace descriptor
} // namespace mpit
