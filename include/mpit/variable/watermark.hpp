// SPDX-License-Identifier: BSD-3-Clause
// Watermarks: the highest or lowest level of a resource, for each handle since it was started or reset (MPI-5.0, 15.3.7).
//
//   mpit::high_watermark<> depth{this, "queue_depth", "Longest queue"};                        ++depth; --depth;
//   mpit::high_watermark<unsigned long> most{this, "queued", "Longest queue", {.of = &queued}};   // of another level
#pragma once

#include <mpit/variable/level.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// A level of its own, or a reference to that of a level variable.
template <class T> class watermark_cell : public level_cell<T> {
public:
    constexpr watermark_cell() noexcept {}
    constexpr explicit watermark_cell(std::uint64_t start) noexcept : level_cell<T>{start} {}
    using level_cell<T>::operator=;
    watched_level& watched() noexcept { return marked_level_ != nullptr ? *marked_level_ : *this; }
    constexpr void watch(level_cell<T>* other) noexcept { marked_level_ = other; }

private:
    level_cell<T>* marked_level_ = nullptr;
};

template <class T, performance_class Class> struct watermark_traits : level_traits<T, Class> {
    using cell = watermark_cell<typename level_traits<T, Class>::element>;
};

// The level that a watermark marks.
template <class T, class Object> struct marked_level {
    constexpr marked_level() noexcept {}
    // Not constexpr: g++ 14 ends with "confused by earlier errors" where it evaluates the call, and does not print the words.
    template <class Given> marked_level(Given) noexcept {
        static_assert(sizeof(Given) == 0, "an array and a variable that is bound to MPI objects mark levels of their own");
    }
};
template <core::utilization T> struct marked_level<T, void> {
    level_cell<T>* cell = nullptr;
    constexpr marked_level() noexcept {}
    constexpr marked_level(level_cell<T>* level) noexcept : cell{level} {}
    template <class Other> requires(!__is_base_of(level_cell<T>, Other)) constexpr marked_level(Other*) noexcept {
        static_assert(sizeof(Other) == 0, "a watermark marks one level, size or percentage of its own type");
    }
};

template <class T, class Cell, class Object, performance_class Class> struct watermark_settings {
    unnamed_setting unnamed = no_unnamed_setting;
    marked_level<T, Object> of{}; // the level that is marked; its own one if nothing is said
    typename initial_level<typename shape<T>::element, Class>::type initial{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    flag atomic{};
    locate_function<Cell, Object> locate{};
};

} // namespace internal

namespace internal { // an author has members of these types

template <class T, class Object, performance_class Class>
class watermark : public measured<watermark_traits<T, Class>, Object> {
    using base_type = measured<watermark_traits<T, Class>, Object>;

public:
    using settings = watermark_settings<T, typename watermark_traits<T, Class>::cell, Object, Class>;
    constexpr watermark(descriptor::category* in_category, core::declared_name called, text meaning,
                        const settings& chosen = no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, level_word(chosen.initial.value)} {
        if constexpr (core::utilization<T> && __is_same(Object, void)) this->watch(chosen.of.cell);
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr watermark(descriptor::category* in_category, core::declared_name called, text meaning,
                        const unnamed_setting&, const More&...)
        : watermark{in_category, called, meaning} {}
    using base_type::operator=;
};

} // namespace internal

// The highest level seen, in the unit that its description says. If no other level is named, it has one of its own, with the
// operators of a level, for any thread and signal handler.
template <class T = unsigned long long, class Object = void>
using high_watermark = internal::watermark<T, Object, performance_class::high_watermark>;

// The lowest level seen, in the unit that its description says; else as high_watermark, for threads and signal handlers too.
template <class T = unsigned long long, class Object = void>
using low_watermark = internal::watermark<T, Object, performance_class::low_watermark>;

} // namespace mpit

#pragma GCC diagnostic pop
