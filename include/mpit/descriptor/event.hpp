// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of events and of the sources of their time stamps (MPI-5.0, 15.3.8).
//
//   descriptor::event& e = …;  e.payload.count;  e.listening.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/payload.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {
struct event_channel;
struct source_channel;
} // namespace internal

namespace MPIT_MODULE_LOCAL descriptor {

// The clock of a source: the library's own clocks, or a function of the author.
enum class clock_kind : std::uint8_t { cycles, steady, own };

// Reads a clock, in ticks. It may be called in any context in which an event of the source is raised.
using clock_function = std::int64_t (*)();

struct source : item {
    mpit::ordering ordering = mpit::ordering::unordered;
    clock_function clock = nullptr; // null: the steady clock, in these ticks
    std::int64_t ticks_per_second = 1'000'000'000;
    std::int64_t max_ticks = INT64_MAX;
    core::atomic<internal::source_channel*> channel; // null until it is registered
    core::spare_words<1> spare;

protected:
    constexpr source(category* in_category, core::checked_name n, text d) noexcept : item{kind::source, n, d} {
        in_category->adopt(*this);
    }
};

struct event;

struct event_operations {
    object_key (*key)(const void* object_handle);                   // null for unbound events
    void* (*locate)(event&, object_key, std::uint32_t& generation); // null: there is no such object
    core::spare_words<2> spare{};
};

struct event : variable {
    core::payload_view payload;
    source* event_source = nullptr; // where the clock is the author's
    const event_operations* operations = nullptr;
    core::atomic<internal::event_channel*> channel; // null until it is registered
    core::atomic<std::uint32_t> listening;          // registrations
    core::atomic<clock_kind> clock{clock_kind::cycles};
    core::spare_words<1> spare;

protected:
    constexpr event(category* in_category, core::checked_name n, text d) noexcept
        : variable{kind::event, in_category, n, d} {}
};

} // namespace descriptor
} // namespace mpit
