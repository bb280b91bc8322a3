// SPDX-License-Identifier: BSD-3-Clause
// Sources of events: the clocks of their time stamps. Two always exist: the system's steady clock, and the processor's
// cycle counter if it runs at one rate. An event that names no source is stamped by the cheaper one (MPI-5.0,
// 15.3.8).
//
//   mpit::source fabric{this, "fabric_clock", "Clock of the network card", {.ticks_per_second = 1'000'000, .clock = &ticks}};
//   mpit::event<message> arrived{this, "arrived", "A message came", {.source = &fabric}};
#pragma once

#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/required.hpp>
#include <mpit/event/channel.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL internal {

// A number of ticks: one at least.
struct ticks : error::refusable {
    std::int64_t count;
    // clang-format off
    consteval ticks(std::int64_t given) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(given) MPIT_IF(given <= 0, a_source_has_no_ticks)) count{given} {}
    // clang-format on
};

} // namespace internal

// Settings of a source. A tick is one count of its clock.
struct source_settings {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    // Ordered: every callback sees stamps that never go back. Events are then delivered one after another, by the
    // thread that is at it, and callbacks of one raise may run in another one.
    mpit::ordering ordering = mpit::ordering::unordered;
    internal::ticks ticks_per_second = 1'000'000'000; // the rate of the clock
    internal::ticks max_ticks = INT64_MAX;            // the largest stamp; the next one is 0
    // Answers the time in ticks, from any thread and in signal handlers. If it is not given, events are stamped by the
    // steady clock in these ticks, and tools that ask for the time get MPI_T_ERR_NOT_SUPPORTED.
    internal::needed_function<std::int64_t()> clock{};
};

// A clock of the library's that events name, and that tools see as a source of its own. It is made by the compiler, and
// does not change: any thread and any signal handler may raise events that name it.
class source : public descriptor::source {
public:
    constexpr source(descriptor::category* in_category, core::declared_name called, core::text meaning,
                     const source_settings& chosen = internal::no_settings<source_settings>)
        : descriptor::source{in_category, called, meaning} {
        ordering = chosen.ordering;
        ticks_per_second = chosen.ticks_per_second.count;
        max_ticks = chosen.max_ticks.count;
        clock = chosen.clock.function;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr source(descriptor::category* in_category, core::declared_name called, core::text meaning,
                     const internal::unnamed_setting&, const More&...)
        : source{in_category, called, meaning} {}
};

// The library's own sources, as settings of an event; `kind` distinguishes them.
struct own_clock {
    descriptor::clock_kind kind;
};
inline constexpr own_clock cycle_counter{descriptor::clock_kind::cycles}; // the steady clock if there is none
inline constexpr own_clock steady_clock{descriptor::clock_kind::steady};  // nanoseconds of the system's monotonic clock

} // namespace mpit
