// SPDX-License-Identifier: BSD-3-Clause
// The initial value of a number and the range that it must stay in.
//
//   {.initial = {65536, 0, 1 << 20}}     // the value, the minimum, the maximum
#pragma once

#include <mpit/core/compile_error.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The ends of a type. They are constants and not functions: g++ 12 crashes on a call in a nested member initialiser.
template <class Arithmetic> struct limits {
    static constexpr bool is_signed = Arithmetic(-1) < Arithmetic(0);
    static constexpr Arithmetic highest =
        static_cast<Arithmetic>(is_signed ? ~std::uint64_t{0} >> (64 - sizeof(Arithmetic) * 8 + 1) : ~std::uint64_t{0});
    static constexpr Arithmetic lowest = is_signed ? static_cast<Arithmetic>(-highest - 1) : Arithmetic{0};
};
template <> struct limits<double> {
    static constexpr double highest = __DBL_MAX__, lowest = -__DBL_MAX__;
};

// The same number as another type, in which an initial value must not become another number.
template <class To, class From> constexpr To exactly(From value) {
    if constexpr (__is_same(To, From)) {
        return value;
    } else {
        const To converted = static_cast<To>(value);
        if (static_cast<From>(converted) != value || (value > From{}) != (converted > To{}))
            error::the_initial_value_does_not_fit_the_type_of_the_variable();
        return converted;
    }
}

// An initial value of which the compiler says at the line of the member that it is none, as the answer of a function.
template <class Value> struct made_in_the_compiler {
    Value value{};
    constexpr made_in_the_compiler() noexcept {}
    template <class... Given> consteval made_in_the_compiler(Given... setting) noexcept : value{setting...} {}
};
template <enumerated E> struct made_in_the_compiler<E> {
    E value{};
    constexpr made_in_the_compiler() noexcept {}
    consteval made_in_the_compiler(E setting) noexcept : value{setting} {}
};
template <number T> struct made_in_the_compiler<T> {
    typename value_type<T>::arithmetic value{};
    constexpr made_in_the_compiler() noexcept {}
    template <class Given>
    consteval made_in_the_compiler(Given setting) noexcept : value{exactly<typename value_type<T>::arithmetic>(setting)} {}
};

// The initial value of a number with its range; every value of the type if no range is given. Authors make it in the
// compiler alone, so that a function which cannot be called there is an error at the line of the member.
template <number T> struct bounded {
    using arithmetic = typename value_type<T>::arithmetic;
    arithmetic value{};
    arithmetic minimum = limits<arithmetic>::lowest;
    arithmetic maximum = limits<arithmetic>::highest;

    constexpr bounded() noexcept {}
    template <class V> consteval bounded(V v) noexcept : value{exactly<arithmetic>(v)} {}
    consteval bounded(arithmetic v, arithmetic low, arithmetic high) noexcept : value{v}, minimum{low}, maximum{high} {}

    constexpr bounded with_value(arithmetic v) const noexcept {
        bounded other{*this};
        other.value = v;
        return other;
    }
    constexpr bool accepts(arithmetic v) const { return v >= minimum && v <= maximum; }
    void put_ends(void* lowest, void* highest) const noexcept {
        std::memcpy(lowest, &minimum, sizeof minimum);
        std::memcpy(highest, &maximum, sizeof maximum);
    }
    constexpr void check() const {
        if (value != value) error::the_initial_value_is_not_a_number();
        if (minimum > maximum) error::the_minimum_is_above_the_maximum();
        if (!accepts(value)) error::the_initial_value_is_outside_the_range();
    }
};

} // namespace core
} // namespace mpit
