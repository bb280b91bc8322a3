// SPDX-License-Identifier: BSD-3-Clause
// Timers: the time spent somewhere, added up over all threads (MPI-5.0, 15.3.7).
//
//   mpit::timer waiting{this, "time_waiting", "Time spent waiting"};   { auto running = waiting.start(); … }
#pragma once

#include <mpit/variable/measured.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The description of a timer of integers.
struct integer_timer_description : error::refusable, text {
    template <core::text_like Text>
    consteval integer_timer_description(Text given) noexcept
        MPIT_REFUSED(MPIT_IF(!core::contains(core::as_text(given), "nanoseconds"),
                             the_description_of_an_integer_timer_must_name_its_unit_nanoseconds))
        text{core::as_text(given)} {}
};
template <class T> struct timer_description { using type = integer_timer_description; };
template <> struct timer_description<double> { using type = text; };

template <class T> struct timer_traits {
    using shape = internal::shape<T>;
    static_assert(core::utilization<typename shape::element>, "a timer is double, for seconds, or unsigned, unsigned long "
                                                              "or unsigned long long, for nanoseconds");
    using cell = timer_cell;
    static constexpr performance_class variable_class = performance_class::timer;
    static constexpr behaviour behaves = behaviour::accumulating;
    static constexpr bool in_shards = true, counts_nanoseconds = true;
};

} // namespace internal

// A timer of doubles shows seconds; one of integers shows nanoseconds, and its description must say so. Any thread and any
// signal handler may start it: `auto running = x.start();`.
template <class T, class Object = void> class timer_of : public internal::measured<internal::timer_traits<T>, Object> {
    using base_type = internal::measured<internal::timer_traits<T>, Object>;
    using description = typename internal::timer_description<typename internal::shape<T>::element>::type;

public:
    using settings = performance_settings<timer_cell, Object>;
    constexpr timer_of(descriptor::category* in_category, core::declared_name called, const description& meaning,
                       const settings& chosen = internal::no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, 0} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr timer_of(descriptor::category* in_category, core::declared_name called, const description& meaning,
                       const internal::unnamed_setting&, const More&...)
        : timer_of{in_category, called, meaning} {}
};

// The timer of the process, in seconds.
using timer = timer_of<double>;

} // namespace mpit

#pragma GCC diagnostic pop
