// SPDX-License-Identifier: BSD-3-Clause
// Counters and aggregates: sums that start at zero and grow by one, or by any amount (MPI-5.0, 15.3.7).
//
//   mpit::counter<> messages{this, "messages_sent", "Messages sent"};          ++messages;
//   mpit::aggregate<double> energy{this, "energy", "Energy used, in joules"};  energy += 0.25;
#pragma once

#include <mpit/variable/measured.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <class T, performance_class Class> struct sum_traits {
    using shape = internal::shape<T>;
    using element = typename shape::element;
    static constexpr bool is_real = __is_same(element, double);
    static_assert(core::utilization<element>, "a counter or an aggregate is unsigned, unsigned long or unsigned long long, "
                                              "an aggregate may also be double");
    static_assert(!(is_real && Class == performance_class::counter), "a counter counts whole events: it cannot be double");

    template <bool Real, class = void> struct cell_of { using type = counter_cell; };
    template <class U> struct cell_of<true, U> { using type = real_cell; };
    using cell = typename cell_of<is_real>::type;
    static constexpr performance_class variable_class = Class;
    static constexpr behaviour behaves = behaviour::accumulating;
    static constexpr bool in_shards = true, counts_nanoseconds = false;
};

} // namespace internal

namespace internal { // an author has members of these types

template <class T, class Object, performance_class Class>
class sum : public measured<sum_traits<T, Class>, Object> {
    using base_type = measured<sum_traits<T, Class>, Object>;

public:
    using settings = performance_settings<typename sum_traits<T, Class>::cell, Object>;
    constexpr sum(descriptor::category* in_category, core::declared_name called, text meaning,
                  const settings& chosen = no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, 0} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr sum(descriptor::category* in_category, core::declared_name called, text meaning,
                  const unnamed_setting&, const More&...)
        : sum{in_category, called, meaning} {}
};

} // namespace internal

// Counts events, as a number: `++x` and `x += n`, from any thread or signal handler; `x[i]` of an array, `x[object]` of a bound
// one, which allocates the cell of an object that was not announced.
template <class T = unsigned long long, class Object = void>
using counter = internal::sum<T, Object, performance_class::counter>;

// Adds up amounts that are not negative, in the unit that its description says: `x += n`, from any thread or signal handler.
template <class T = unsigned long long, class Object = void>
using aggregate = internal::sum<T, Object, performance_class::aggregate>;

} // namespace mpit

#pragma GCC diagnostic pop
