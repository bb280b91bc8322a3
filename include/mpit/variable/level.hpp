// SPDX-License-Identifier: BSD-3-Clause
// Levels, sizes and percentages: how much of a resource is in use (MPI-5.0, 15.3.7).
//
//   mpit::level<unsigned long> queued{this, "queued", "Messages in the queue"};   ++queued; queued -= 2; queued = 0;
#pragma once

#include <mpit/variable/measured.hpp>
#include <mpit/variable/watched_level.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <class T, performance_class Class> struct level_traits {
    using shape = internal::shape<T>;
    using element = typename shape::element;
    static_assert(core::utilization<element>, "a level, a size or a watermark is unsigned, unsigned long, unsigned long "
                                              "long or double, a percentage is double");
    using cell = level_cell<element>;
    static constexpr performance_class variable_class = Class;
    static constexpr behaviour behaves = Class == performance_class::high_watermark  ? behaviour::marking_high
                                         : Class == performance_class::low_watermark ? behaviour::marking_low
                                                                                     : behaviour::following;
    static constexpr bool in_shards = false, counts_nanoseconds = false;
};

// The setting of an element that is no number says nothing: its class does.
template <class T, performance_class Class> struct initial_level { using type = core::initial_number<double>; };
template <core::number T, performance_class Class> struct initial_level<T, Class> {
    using type = core::initial_number<T, Class == performance_class::percentage ? core::admitted::zero_to_one
                                                                                : core::admitted::not_negative>;
};

template <class T, class Cell, class Object, performance_class Class> struct level_settings {
    unnamed_setting unnamed = no_unnamed_setting;
    typename initial_level<typename shape<T>::element, Class>::type initial{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    flag atomic{};
    locate_function<Cell, Object> locate{};
};

template <class T> constexpr std::uint64_t level_word(T initial) {
    if constexpr (__is_same(T, double)) return core::bits_of(initial);
    else return initial;
}

} // namespace internal

namespace internal { // an author has members of these types

template <class T, class Object, performance_class Class>
class leveled : public measured<level_traits<T, Class>, Object> {
    using base_type = measured<level_traits<T, Class>, Object>;

public:
    using settings = level_settings<T, typename level_traits<T, Class>::cell, Object, Class>;
    constexpr leveled(descriptor::category* in_category, core::declared_name called, text meaning,
                      const settings& chosen = no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, level_word(chosen.initial.value)} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr leveled(descriptor::category* in_category, core::declared_name called, text meaning,
                      const unnamed_setting&, const More&...)
        : leveled{in_category, called, meaning} {}
    using base_type::operator=;
};

} // namespace internal

// How much of a resource is in use, in the unit that its description says; never below zero. `x += n`, `x -= n`, `++x`,
// `--x`, `x = n`, from any thread or signal handler.
template <class T = unsigned long long, class Object = void>
using level = internal::leveled<T, Object, performance_class::level>;

// How large a resource is, in the unit that its description says; never below zero. It has the operators of a level, for any
// thread and signal handler.
template <class T = unsigned long long, class Object = void>
using size = internal::leveled<T, Object, performance_class::size>;

// Which part of a resource is in use, from 0.0 to 1.0. A tool never sees a value outside. It has the operators of a level, for
// any thread and signal handler.
template <class Object = void> using percentage = internal::leveled<double, Object, performance_class::percentage>;

} // namespace mpit

#pragma GCC diagnostic pop
