// SPDX-License-Identifier: BSD-3-Clause
// The initial value of a numeric variable and the range of values that the variable accepts.
//
//   {.initial = {65536, 0, 1 << 20}}     // the value, the minimum, the maximum
#pragma once

#include <mpit/core/compile_error.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The limits of a number type. They are constants, because g++ 12 crashes on calls in nested member initializers.
template <class Arithmetic> struct limits {
    static constexpr bool is_signed = Arithmetic(-1) < Arithmetic(0);
    static constexpr Arithmetic highest =
        static_cast<Arithmetic>(is_signed ? ~std::uint64_t{0} >> (64 - sizeof(Arithmetic) * 8 + 1) : ~std::uint64_t{0});
    static constexpr Arithmetic lowest = is_signed ? static_cast<Arithmetic>(-highest - 1) : Arithmetic{0};
};
template <> struct limits<double> {
    static constexpr double highest = __DBL_MAX__, lowest = -__DBL_MAX__;
};

// Returns true if a range excludes at least one value of the number type. A range of doubles always excludes NaN.
template <class Arithmetic> constexpr bool is_limited(Arithmetic minimum, Arithmetic maximum) {
    using type_limits = limits<Arithmetic>;
    return __is_same(Arithmetic, double) || minimum != type_limits::lowest || maximum != type_limits::highest;
}

// The types in which an author may write the initial value of a variable of type To. fits() and is_inside() accept
// every type, because diagnose_if attributes call them, and clang 14 evaluates the attributes before constraints.
template <class From, class To>
concept numeric = requires(From value) { static_cast<To>(value); };

// True if a number has the same value after a conversion to the type To.
template <class To, class From> constexpr bool fits(From value) {
    if constexpr (__is_same(To, From)) {
        return true;
    } else if constexpr (numeric<From, To>) {
        const To converted = static_cast<To>(value);
        return static_cast<From>(converted) == value && (value > From{}) == (converted > To{});
    }
    return false;
}
template <class Number> constexpr bool is_not_a_number(Number value) {
    if constexpr (__is_same(Number, double) || __is_same(Number, float)) return value != value;
    else return static_cast<void>(value), false;
}
template <class Number> constexpr bool is_inside(double lowest, double highest, Number value) {
    if constexpr (numeric<Number, double>)
        return static_cast<double>(value) >= lowest && static_cast<double>(value) <= highest;
    return false;
}
// Converts a number to the type To. A conversion that would change the value is a compile error.
template <class To, class From> constexpr To exactly(From value) {
    if (!fits<To>(value)) error::the_initial_value_does_not_fit_the_type_of_the_variable();
    return static_cast<To>(value);
}

// The permitted initial values of a numeric performance variable.
enum class admitted : std::uint8_t { every_number, not_negative, zero_to_one };

// The initial value that an author declares for a numeric variable, as a constant expression.
template <number T, admitted Allowed = admitted::every_number> struct initial_number : error::refusable {
    using arithmetic = typename value_type<T>::arithmetic;
    arithmetic value{};
    constexpr initial_number() noexcept {}
    // clang-format off
    template <numeric<arithmetic> Initial>
    consteval initial_number(Initial initial) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(is_not_a_number(initial))
                     MPIT_IF(is_not_a_number(initial), the_initial_value_is_not_a_number)
                     MPIT_IF(!fits<arithmetic>(initial), the_initial_value_does_not_fit_the_type_of_the_variable)
                     MPIT_IF(Allowed != admitted::every_number && !is_inside(0, limits<double>::highest, initial),
                             the_initial_value_is_negative)
                     MPIT_IF(Allowed == admitted::zero_to_one && !is_inside(0, 1, initial),
                             the_initial_value_of_a_percentage_must_be_from_0_to_1))
        value{static_cast<arithmetic>(initial)} {}
    // clang-format on
};

// The initial value of an enumeration variable, by default 0. If the author gives no initial value and no item has the
// value 0, check_default() fails to compile.
template <enumerated E> struct initial_item : error::refusable {
    E value{};
    bool is_given = false;
    constexpr initial_item() noexcept {}
    // clang-format off
    consteval initial_item(E initial) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(initial)
                     MPIT_IF(!enumeration_view_of<E>().has(static_cast<int>(initial)),
                             the_initial_value_is_not_a_member_of_the_enumeration))
        value{initial}, is_given{true} {}
    // clang-format on
    constexpr void check_default() const {
        if (!is_given && !enumeration_view_of<E>().has(static_cast<int>(value)))
            error::the_initial_value_is_not_a_member_of_the_enumeration();
    }
};

// The value and the range of a numeric variable. The default range contains all values of the type.
template <number T> struct bounded {
    using arithmetic = typename value_type<T>::arithmetic;
    arithmetic value{};
    arithmetic minimum = limits<arithmetic>::lowest;
    arithmetic maximum = limits<arithmetic>::highest;

    constexpr bounded() noexcept {}
    constexpr bounded(arithmetic v, arithmetic low, arithmetic high) noexcept : value{v}, minimum{low}, maximum{high} {}

    constexpr bool accepts(arithmetic v) const { return v >= minimum && v <= maximum; }
};

// The initial value and the range that an author declares for a numeric variable. initial_range is not derived from
// `bounded`, because clang 14 crashes if a constant with the base class `bounded` is stored at run time.
template <number T> struct initial_range : error::refusable {
    using arithmetic = typename bounded<T>::arithmetic;
    arithmetic value{};
    arithmetic minimum = limits<arithmetic>::lowest;
    arithmetic maximum = limits<arithmetic>::highest;

    constexpr initial_range() noexcept {}
    // clang-format off
    template <numeric<arithmetic> Initial>
    consteval initial_range(Initial initial) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(is_not_a_number(initial))
                     MPIT_IF(is_not_a_number(initial), the_initial_value_is_not_a_number)
                     MPIT_IF(!fits<arithmetic>(initial), the_initial_value_does_not_fit_the_type_of_the_variable))
        value{static_cast<arithmetic>(initial)} {}
    consteval initial_range(arithmetic initial, arithmetic low, arithmetic high) noexcept
        MPIT_REFUSED(MPIT_IF_UNKNOWN(initial) MPIT_IF_UNKNOWN(low) MPIT_IF_UNKNOWN(high)
                     MPIT_IF(is_not_a_number(initial), the_initial_value_is_not_a_number)
                     MPIT_IF(low > high, the_minimum_is_above_the_maximum)
                     MPIT_IF(!(initial >= low && initial <= high), the_initial_value_is_outside_the_range))
        value{initial}, minimum{low}, maximum{high} {}
    // clang-format on
    constexpr operator bounded<T>() const noexcept { return {value, minimum, maximum}; }
};

} // namespace core
} // namespace mpit
