// SPDX-License-Identifier: BSD-3-Clause
// The classes of performance variables whose values are in cells (MPI-5.0, 15.3.7): counter, aggregate, timer, level,
// size, percentage, state, generic, high and low watermark. Any thread and any signal handler may change them.
//
//   mpit::counter<> messages{this, "messages_sent", "Messages sent"};            ++messages;
//   mpit::timer waiting{this, "time_waiting", "Time spent waiting"};             { auto running = waiting.start(); … }
//   mpit::level<unsigned long> queued{this, "queued", "Messages in the queue"};  ++queued; queued -= 2; queued = 0;
//   mpit::high_watermark<unsigned long> longest{this, "longest", "Longest queue", {.of = &queued}};
#pragma once

#include <mpit/variable/performance.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <class T> struct cell_of_amounts {
    using type = counter_cell;
};
template <> struct cell_of_amounts<double> {
    using type = real_cell;
};

// The description of a timer of integers.
struct integer_timer_description : error::refusable, text {
    // clang-format off
    template <core::text_like Text>
    consteval integer_timer_description(Text given) noexcept
        MPIT_REFUSED(MPIT_IF(!core::contains(core::as_text(given), "nanoseconds"),
                             the_description_of_an_integer_timer_must_name_its_unit_nanoseconds)) text{
            // clang-format on
            core::as_text(given)} {}
};
template <class T> struct timer_description {
    using type = integer_timer_description;
};
template <> struct timer_description<double> {
    using type = text;
};

// The setting of an element that is no number says nothing: its class does.
template <class T, performance_class Class> struct initial_level {
    using type = core::initial_number<double>;
};
template <core::number T, performance_class Class> struct initial_level<T, Class> {
    using type = core::initial_number<T, Class == performance_class::percentage ? core::admitted::zero_to_one
                                                                                : core::admitted::not_negative>;
};

// The level that a watermark marks.
template <class T, class Object> struct marked_level {
    constexpr marked_level() noexcept {}
    // Not constexpr: g++ 14 ends with "confused by earlier errors" where it evaluates the call, and does not print the
    // words.
    template <class Given> marked_level(Given) noexcept {
        static_assert(sizeof(Given) == 0,
                      "an array and a variable that is bound to MPI objects mark levels of their own");
    }
};
template <core::utilization T> struct marked_level<T, void> {
    watched_level* level = nullptr;
    constexpr marked_level() noexcept {}
    constexpr marked_level(level_cell<T>* marked) noexcept : level{marked} {}
    template <class Other>
        requires(!__is_base_of(level_cell<T>, Other))
    constexpr marked_level(Other*) noexcept {
        static_assert(sizeof(Other) == 0, "a watermark marks one level, size or percentage of its own type");
    }
};

} // namespace internal

namespace internal { // authors have members of types with such arguments

// T, where a class can have values of type T, or arrays of such.
template <class T> constexpr bool is_utilization = core::utilization<typename shape<T>::element>;
template <class T> using utilization_or_other = typename core::if_possible<T, is_utilization<T>, unsigned>::type;

template <class T, performance_class Class> struct sum_traits : performance_traits<Class, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(is_utilization<T>, "a counter or an aggregate is unsigned, unsigned long or unsigned long long, "
                                     "an aggregate may also be double");
    static_assert(!__is_same(element, double) || Class != performance_class::counter,
                  "a counter counts whole events: it cannot be double");
    using cell = typename cell_of_amounts<element>::type;
};
template <class T> struct timer_traits : performance_traits<performance_class::timer, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(is_utilization<T>, "a timer is double, for seconds, or unsigned, unsigned long "
                                     "or unsigned long long, for nanoseconds");
    using cell = timer_cell;
    using description = typename timer_description<element>::type;
};
template <class T, performance_class Class> struct level_traits : performance_traits<Class, utilization_or_other<T>> {
    using element = typename shape<utilization_or_other<T>>::element;
    static_assert(is_utilization<T>, "a level, a size or a watermark is unsigned, unsigned long, unsigned long "
                                     "long or double, a percentage is double");
    using cell = level_cell<element>;
    using initial = typename initial_level<element, Class>::type;
};
template <class T, performance_class Class> struct watermark_traits : level_traits<T, Class> {
    using cell = watermark_cell<typename level_traits<T, Class>::element>;
    template <class Object> using marked = marked_level<utilization_or_other<T>, Object>;
};
template <class E> constexpr bool is_enumeration = core::enumerated<E>;
template <class E>
using enumeration_or_other = typename core::if_possible<E, is_enumeration<E> && core::is_described<E>, bool>::type;
template <class E> struct state_traits : performance_traits<performance_class::state, enumeration_or_other<E>> {
    static_assert(is_enumeration<E>, "a state is an enumeration");
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
    static_assert(
        is_shape_of_numbers<T>,
        "a generic variable is int, unsigned, unsigned long, unsigned long long, double, long, mpit::count or "
        "mpit::exact<...>; as mpit::computed it may also be char[N] or an enumeration");
    using cell = generic_cell<element>;
    using initial = core::initial_number<element>;
};

} // namespace internal

// Counts events, as a number: `++x` and `x += n`, from any thread or signal handler; `x[i]` of an array, `x[object]` of
// a bound one, which allocates the cell of an object that was not announced.
template <class T = unsigned long long, class Object = void>
using counter = internal::performance_variable<internal::sum_traits<T, performance_class::counter>, Object>;

// Adds up amounts that are not negative, in the unit that its description says: `x += n`, from any thread or signal
// handler.
template <class T = unsigned long long, class Object = void>
using aggregate = internal::performance_variable<internal::sum_traits<T, performance_class::aggregate>, Object>;

// The time spent somewhere, added up over all threads. A timer of doubles shows seconds; one of integers shows
// nanoseconds, and its description must say so. Any thread and any signal handler may start it: `auto running =
// x.start();`.
template <class T, class Object = void>
using timer_of = internal::performance_variable<internal::timer_traits<T>, Object>;

// The timer of the process, in seconds.
using timer = timer_of<double>;

// How much of a resource is in use, in the unit that its description says; never below zero. `x += n`, `x -= n`, `++x`,
// `--x`, `x = n`, from any thread or signal handler.
template <class T = unsigned long long, class Object = void>
using level = internal::performance_variable<internal::level_traits<T, performance_class::level>, Object>;

// How large a resource is, in the unit that its description says; never below zero. It has the operators of a level,
// for any thread and signal handler.
template <class T = unsigned long long, class Object = void>
using size = internal::performance_variable<internal::level_traits<T, performance_class::size>, Object>;

// Which part of a resource is in use, from 0.0 to 1.0. A tool never sees a value outside. It has the operators of a
// level, for any thread and signal handler.
template <class Object = void>
using percentage =
    internal::performance_variable<internal::level_traits<double, performance_class::percentage>, Object>;

// The highest level seen, for each handle since it was started or reset, in the unit that its description says. If no
// other level is named, it has one of its own, with the operators of a level, for any thread and signal handler.
template <class T = unsigned long long, class Object = void>
using high_watermark =
    internal::performance_variable<internal::watermark_traits<T, performance_class::high_watermark>, Object>;

// The lowest level seen, in the unit that its description says; else as high_watermark, for threads and signal handlers
// too.
template <class T = unsigned long long, class Object = void>
using low_watermark =
    internal::performance_variable<internal::watermark_traits<T, performance_class::low_watermark>, Object>;

// One of the values of an enumeration: `x = E::value`, from any thread or signal handler. Two threads that change it at
// once may count as one change.
template <class E, class Object = void> using state = internal::performance_variable<internal::state_traits<E>, Object>;

// A number whose meaning and unit its description gives: `x = n`, `x += n`, from any thread or signal handler. A handle
// starts from the initial value and follows the changes of the library's value.
template <class T, class Object = void>
using generic = internal::performance_variable<internal::generic_traits<T>, Object>;

} // namespace mpit
