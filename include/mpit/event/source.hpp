// SPDX-License-Identifier: BSD-3-Clause
// An event source is a clock that stamps event instances (MPI-5.0, 15.3.8). mpit has a source for the system's steady
// clock. mpit also has a source for the processor's cycle counter if the counter's rate is constant. An event that
// names no source is stamped by the cycle counter if its rate is constant, and otherwise by the steady clock.
//
//   mpit::source fabric{this, "fabric_clock", "Clock of the card", {.ticks_per_second = 1'000'000, .clock = &ticks}};
//   mpit::event<message> arrived{this, "arrived", "A message has arrived", {.source = &fabric}};
#pragma once

#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/required.hpp>
#include <mpit/event/channel.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {

namespace MPIT_MODULE_LOCAL internal {

// A number of ticks that the compiler has checked to be positive.
struct ticks : error::refusable {
    std::int64_t count;
    // clang-format off
    consteval ticks(std::int64_t value) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(value) MPIT_IF(value <= 0, the_ticks_of_a_source_must_be_positive)) count{value} {}
    // clang-format on
};

} // namespace internal

// Settings in the declaration of an event source. A tick is the unit of the source's clock.
struct source_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    // The stamps that a callback receives from an ordered source never decrease. Only one thread at a time delivers the
    // events of an ordered source. If another thread raises an event meanwhile, the delivering thread delivers it, too.
    mpit::ordering ordering = mpit::ordering::unordered;
    internal::ticks ticks_per_second = 1'000'000'000; // the rate of the clock
    internal::ticks max_ticks = INT64_MAX;            // the largest stamp, which is followed by 0
    // Returns the clock's time in ticks. mpit calls this function in any thread and in signal handlers. Without this
    // function, the steady clock stamps events, and MPI_T_source_get_timestamp returns MPI_T_ERR_NOT_SUPPORTED.
    internal::required_function<std::int64_t()> clock{};
};

// A clock of the library that stamps events. Any thread and any signal handler may raise events of a source.
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
    // Makes the compiler reject a setting that is not a designated initializer.
    template <class... More>
    constexpr source(descriptor::category* parent, core::declared_name source_name, core::text source_description,
                     const internal::unnamed_setting&, const More&...)
        : source{parent, source_name, source_description} {}
};

// A value for the `source` setting of an event. `kind` selects one of mpit's own clocks.
struct own_clock {
    descriptor::clock_kind kind;
};
inline constexpr own_clock cycle_counter{descriptor::clock_kind::cycles}; // cycle counter, or else the steady clock
inline constexpr own_clock steady_clock{descriptor::clock_kind::steady};  // nanoseconds of the system's monotonic clock

} // namespace mpit
