// SPDX-License-Identifier: BSD-3-Clause
// Sources of events: the clocks of their time stamps. Two always exist: the system's steady clock, and the processor's
// cycle counter if its rate is constant. The cheaper one stamps events that name no source (MPI-5.0, 15.3.8).
//
//   mpit::source fabric{this, "fabric_clock", "Clock of the card", {.ticks_per_second = 1'000'000, .clock = &ticks}};
//   mpit::event<message> arrived{this, "arrived", "A message has arrived", {.source = &fabric}};
#pragma once

#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/required.hpp>
#include <mpit/event/channel.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL internal {

// A positive number of ticks.
struct ticks : error::refusable {
    std::int64_t count;
    // clang-format off
    consteval ticks(std::int64_t value) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(value) MPIT_IF(value <= 0, the_ticks_of_a_source_must_be_positive)) count{value} {}
    // clang-format on
};

} // namespace internal

// Settings of a source. A tick is one count of its clock.
struct source_settings {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // refuses a setting without its name
    // Ordered: the stamps that a callback receives never decrease. One thread at a time delivers the events of the
    // source, and a thread that raises one may leave its callbacks to the thread that is delivering.
    mpit::ordering ordering = mpit::ordering::unordered;
    internal::ticks ticks_per_second = 1'000'000'000; // the rate of the clock
    internal::ticks max_ticks = INT64_MAX;            // the largest stamp; the next one is 0
    // Returns the time in ticks, in any thread and in signal handlers. Without it the steady clock stamps events, in
    // these ticks, and MPI_T_source_get_timestamp returns MPI_T_ERR_NOT_SUPPORTED.
    internal::required_function<std::int64_t()> clock{};
};

// A clock of the library that events name. It is constant: any thread and signal handler may raise events that name it.
class source : public descriptor::source {
public:
    constexpr source(descriptor::category* parent, core::declared_name source_name, core::text source_description,
                     const source_settings& settings = internal::no_settings<source_settings>)
        : descriptor::source{parent, source_name, source_description} {
        ordering = settings.ordering;
        ticks_per_second = settings.ticks_per_second.count;
        max_ticks = settings.max_ticks.count;
        clock = settings.clock.function;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr source(descriptor::category* parent, core::declared_name source_name, core::text source_description,
                     const internal::unnamed_setting&, const More&...)
        : source{parent, source_name, source_description} {}
};

// The sources of mpit, as settings of an event; `kind` distinguishes them.
struct own_clock {
    descriptor::clock_kind kind;
};
inline constexpr own_clock cycle_counter{descriptor::clock_kind::cycles}; // the steady clock if there is none
inline constexpr own_clock steady_clock{descriptor::clock_kind::steady};  // nanoseconds of the system's monotonic clock

} // namespace mpit
