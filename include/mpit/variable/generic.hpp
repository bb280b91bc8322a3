// SPDX-License-Identifier: BSD-3-Clause
// Generic variables: a number of any type with an initial value of the author's choice (MPI-5.0, 15.3.7). A handle
// starts from that value and follows the changes of the library's value.
//
//   mpit::generic<mpit::count> balance{this, "balance", "Credits given minus credits used", {.initial = 100}};
#pragma once

#include <mpit/variable/measured.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Keeps a number of any of the ten numeric types. Any thread and any signal handler may change and read it, without a lock.
template <core::number T> class generic_cell {
public:
    MPIT_MODULE_LOCAL constexpr generic_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit generic_cell(std::uint64_t start) noexcept : word_{start} {}
    MPIT_MODULE_LOCAL void operator=(T value) noexcept { word_.store(to_word(value)); }
    MPIT_MODULE_LOCAL void operator+=(T value) noexcept {
        std::uint64_t old = word_.load();
        while (!word_.compare_exchange(old, to_word(static_cast<T>(from_word(old) + value)))) {}
    }
    // The present value.
    MPIT_MODULE_LOCAL T get() const noexcept { return from_word(word_.load()); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return word_.load(); }
    // For the library's own use.
    MPIT_MODULE_LOCAL const void* stored() const noexcept { return &word_; }
    MPIT_MODULE_LOCAL constexpr void begin_with(std::uint64_t start) noexcept { word_.begin_with(start); }
    MPIT_MODULE_LOCAL void reset(std::uint64_t start) noexcept { word_.store(start); }

    // For the library's own use.
    MPIT_MODULE_LOCAL static constexpr std::uint64_t to_word(typename core::value_type<T>::arithmetic value) noexcept {
        if constexpr (__is_same(T, double)) return core::bits_of(value);
        else return static_cast<std::uint64_t>(value);
    }

private:
    MPIT_MODULE_LOCAL static T from_word(std::uint64_t word) noexcept {
        if constexpr (__is_same(T, double)) return core::double_of(word);
        else return static_cast<T>(static_cast<typename core::value_type<T>::arithmetic>(word));
    }
    core::atomic<std::uint64_t> word_;
};

namespace MPIT_MODULE_LOCAL internal {

template <class T> struct generic_traits {
    using shape = internal::shape<T>;
    static_assert(core::number<typename shape::element>,
                  "a generic variable is int, unsigned, unsigned long, unsigned long long, double, long, mpit::count or "
                  "mpit::exact<...>; as mpit::computed it may also be char[N] or an enumeration");
    using cell = generic_cell<typename shape::element>;
    static constexpr performance_class variable_class = performance_class::generic;
    static constexpr behaviour behaves = behaviour::accumulating;
    static constexpr bool in_shards = false, counts_nanoseconds = false;
};

template <class T, class Object> struct generic_settings {
    unnamed_setting unnamed = no_unnamed_setting;
    core::initial_number<typename shape<T>::element> initial{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    flag atomic{};
    locate_function<typename generic_traits<T>::cell, Object> locate{};
};

} // namespace internal

// A number whose meaning and unit its description gives: `x = n`, `x += n`, from any thread or signal handler.
template <class T, class Object = void> class generic : public internal::measured<internal::generic_traits<T>, Object> {
    using base_type = internal::measured<internal::generic_traits<T>, Object>;
    using cell = typename internal::generic_traits<T>::cell;

public:
    using settings = internal::generic_settings<T, Object>;
    constexpr generic(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const settings& chosen = internal::no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, cell::to_word(chosen.initial.value)} {
        this->starting_word = cell::to_word(chosen.initial.value);
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr generic(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const internal::unnamed_setting&, const More&...)
        : generic{in_category, called, meaning} {}
    using base_type::operator=;
};

} // namespace mpit

#pragma GCC diagnostic pop
