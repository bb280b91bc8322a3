// SPDX-License-Identifier: BSD-3-Clause
// Class templates for performance variables whose values are in cells. Each class of the standard has a template
// (MPI-5.0, 15.3.7). Any thread and any signal handler may change the variables.
//
//   mpit::counter<> messages{this, "messages_sent", "Messages sent"};            ++messages;
//   mpit::timer waiting{this, "time_waiting", "Time spent waiting"};             auto running = waiting.start();
//   mpit::level<unsigned long> queued{this, "queued", "Messages in the queue"};  ++queued; queued -= 2; queued = 0;
//   mpit::high_watermark<unsigned long> longest{this, "longest", "Longest queue", {.of = &queued}};
#pragma once

#include <mpit/variable/performance.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

template <class T> struct cell_of_amounts {
    using type = counter_cell;
};
template <> struct cell_of_amounts<double> {
    using type = real_cell;
};

// The type of the description of an integer timer. A description without the word "nanoseconds" is a compile error.
struct integer_timer_description : error::refusable, text {
    // clang-format off
    template <core::text_like Text>
    consteval integer_timer_description(Text description) noexcept
        MPIT_REFUSED(MPIT_IF(!core::contains(core::as_text(description), "nanoseconds"),
                             the_description_of_an_integer_timer_must_name_its_unit_nanoseconds))
        text{core::as_text(description)} {}
    // clang-format on
};
template <class T> struct timer_description {
    using type = integer_timer_description;
};
template <> struct timer_description<double> {
    using type = text;
};

// The type of the setting .initial of a level. If T is not a number, level_traits reports the compile error, and
// initial_level reports no second error.
template <class T, performance_class Class> struct initial_level {
    using type = core::initial_number<double>;
};
template <core::number T, performance_class Class> struct initial_level<T, Class> {
    using type = core::initial_number<T, Class == performance_class::percentage ? core::admitted::zero_to_one
                                                                                : core::admitted::not_negative>;
};

// The type of the setting .of of a watermark. The setting .of names the level variable that the watermark records.
template <class T, class Object> struct watermark_level {
    constexpr watermark_level() noexcept {}
    template <class Value> watermark_level(Value) noexcept {
        static_assert(sizeof(Value) == 0, "a watermark that is an array or is bound to MPI objects cannot have .of");
    }
};
template <core::utilization T> struct watermark_level<T, void> {
    watched_level* level = nullptr;
    constexpr watermark_level() noexcept {}
    constexpr watermark_level(level_cell<T>* cell) noexcept : level{cell} {}
    template <class Other>
        requires(!__is_base_of(level_cell<T>, Other))
    watermark_level(Other*) noexcept {
        static_assert(sizeof(Other) == 0,
                      "the .of of a watermark must be a level, a size or a percentage of the same type");
    }
};

} // namespace internal

namespace internal { // default visibility, for the types of variables that authors declare

// Each alias whose name ends in `_or_other` is T if variables can have the type T. If no variable can have the type T,
// an assertion reports a compile error, and the alias is a type that causes no further errors.
template <class T> constexpr bool is_utilization = core::utilization<typename shape<T>::element>;
template <class T> using utilization_or_other = typename core::if_possible<T, is_utilization<T>, unsigned>::type;

template <class T, performance_class Class> struct sum_traits : performance_traits<Class, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(is_utilization<T>, "a counter or an aggregate must be unsigned, unsigned long or unsigned long long, "
                                     "an aggregate can also be double");
    static_assert(!__is_same(element, double) || Class != performance_class::counter,
                  "a counter cannot be double, because it counts whole events");
    using cell = typename cell_of_amounts<element>::type;
};
template <class T> struct timer_traits : performance_traits<performance_class::timer, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(
        is_utilization<T>,
        "a timer must be double, for seconds, or unsigned, unsigned long or unsigned long long, for nanoseconds");
    using cell = timer_cell;
    using description = typename timer_description<element>::type;
};
template <class T, performance_class Class> struct level_traits : performance_traits<Class, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(is_utilization<T>, "a level, a size or a watermark must be unsigned, unsigned long, unsigned long "
                                     "long or double, a percentage double");
    using cell = level_cell<element>;
    using initial = typename initial_level<element, Class>::type;
};
template <class T, performance_class Class> struct watermark_traits : level_traits<T, Class> {
    using cell = watermark_cell<typename level_traits<T, Class>::element>;
    template <class Object> using level_setting = watermark_level<utilization_or_other<T>, Object>;
};
template <class E> constexpr bool is_enumeration = core::enumerated<E>;
template <class E>
using enumeration_or_other = typename core::if_possible<E, is_enumeration<E> && core::is_described<E>, bool>::type;
template <class E> struct state_traits : performance_traits<performance_class::state, enumeration_or_other<E>> {
    static_assert(is_enumeration<E>, "a state must be an enumeration");
    static_assert(!is_enumeration<E> || core::is_described<E>,
                  "an enumeration type needs a function enumeration_of(E) beside it, or a "
                  "specialisation of mpit::enumeration_of, before a variable holds it");
    using cell = state_cell<enumeration_or_other<E>>;
    using initial = core::initial_item<enumeration_or_other<E>>;
};
template <class T> constexpr bool is_shape_of_numbers = core::number<typename shape<T>::element>;
template <class T> using number_or_other = typename core::if_possible<T, is_shape_of_numbers<T>>::type;
template <class T> struct generic_traits : performance_traits<performance_class::generic, number_or_other<T>> {
    using element = typename shape<number_or_other<T>>::element;
    static_assert(is_shape_of_numbers<T>,
                  "a generic variable must be int, unsigned, unsigned long, unsigned long long, double, long, "
                  "mpit::count or mpit::exact<...>; as mpit::computed it can also be char[N] or an enumeration");
    using cell = generic_cell<element>;
    using initial = core::initial_number<element>;
};

} // namespace internal

// A counter of events, such as sent messages. Any thread and any signal handler may use `++x` and `x += n`. `x[i]` is
// an element of an array of counters. `x[object]` is the counter of an MPI object to which the variable is bound
// (MPI-5.0, 15.3.7). `x[object]` allocates a cell for the object if mpit::created() was not called for the object.
template <class T = unsigned long long, class Object = void>
using counter = internal::performance_variable<internal::sum_traits<T, performance_class::counter>, Object>;

// A sum of non-negative amounts, in the unit that the description names. Any thread and any signal handler may use `x
// += n` (MPI-5.0, 15.3.7).
template <class T = unsigned long long, class Object = void>
using aggregate = internal::performance_variable<internal::sum_traits<T, performance_class::aggregate>, Object>;

// A timer, which sums the times of the measurements of all threads. A timer of doubles is in seconds. A timer of
// integers is in nanoseconds, and the description must say so. Any thread and any signal handler may start a
// measurement by `auto running = x.start();`.
template <class T, class Object = void>
using timer_of = internal::performance_variable<internal::timer_traits<T>, Object>;

// A timer in seconds, with one value for the process. Any thread and any signal handler may use the timer.
using timer = timer_of<double>;

// The used amount of a resource, in the unit that the description names. The amount is never negative. Any thread and
// any signal handler may use `x += n`, `x -= n`, `++x`, `--x` and `x = n` (MPI-5.0, 15.3.7).
template <class T = unsigned long long, class Object = void>
using level = internal::performance_variable<internal::level_traits<T, performance_class::level>, Object>;

// The size of a resource, in the unit that the description names. The size is never negative. A size has the operators
// of mpit::level, which any thread and any signal handler may use (MPI-5.0, 15.3.7).
template <class T = unsigned long long, class Object = void>
using size = internal::performance_variable<internal::level_traits<T, performance_class::size>, Object>;

// The used fraction of a resource, from 0.0 to 1.0. A tool never reads a percentage below 0.0 or above 1.0. A
// percentage has the operators of mpit::level, which any thread and any signal handler may use (MPI-5.0, 15.3.7).
template <class Object = void>
using percentage =
    internal::performance_variable<internal::level_traits<double, performance_class::percentage>, Object>;

// The highest value that a level has had since a tool's handle was started or reset, in the unit that the description
// names. The setting `.of` names the level variable that the watermark records. Without `.of`, the watermark contains a
// level of its own and has the operators of mpit::level, which any thread and any signal handler may use.
template <class T = unsigned long long, class Object = void>
using high_watermark =
    internal::performance_variable<internal::watermark_traits<T, performance_class::high_watermark>, Object>;

// The lowest value that a level has had since a tool's handle was started or reset, in the unit that the description
// names. The watermark has the operators of high_watermark, which any thread and any signal handler may use.
template <class T = unsigned long long, class Object = void>
using low_watermark =
    internal::performance_variable<internal::watermark_traits<T, performance_class::low_watermark>, Object>;

// A state, which is a value of an enumeration. Any thread and any signal handler may assign `x = E::value`. Two
// concurrent changes of the state may be counted as one change (MPI-5.0, 15.3.7).
template <class E, class Object = void> using state = internal::performance_variable<internal::state_traits<E>, Object>;

// A number whose meaning and unit the description defines. Any thread and any signal handler may use `x = n` and `x +=
// n`. The value of a handle starts with the initial value, and changes by the same amounts as the variable while the
// handle runs (MPI-5.0, 15.3.7).
template <class T, class Object = void>
using generic = internal::performance_variable<internal::generic_traits<T>, Object>;

} // namespace mpit
