// SPDX-License-Identifier: BSD-3-Clause
// The eleven types of a value, their C++ types, and the 64-bit words in which values are added and compared (MPI-5.0,
// table 15.4). The functions are pure: any thread and any signal handler may call them.
//
//   mpit::control<mpit::count> longest{this, "LONGEST", "..."};   // MPI_COUNT
#pragma once

#include <mpit/core/enumeration.hpp>

namespace mpit::inline v0_1 {

// A `value` of MPI_INT32_T, MPI_INT64_T, MPI_UINT32_T or MPI_UINT64_T, for an exact type instead of int, unsigned or
// long.
template <class T> struct exact {
    T value{};
    MPIT_MODULE_LOCAL constexpr exact(T v = {}) noexcept : value{v} {}
    MPIT_MODULE_LOCAL constexpr operator T() const noexcept { return value; }
};

// A `value` of MPI_COUNT: a signed number of 64 bits.
struct count {
    std::int64_t value = 0;
    MPIT_MODULE_LOCAL constexpr count(std::int64_t v = 0) noexcept : value{v} {}
    MPIT_MODULE_LOCAL constexpr operator std::int64_t() const noexcept { return value; }
};

namespace MPIT_MODULE_LOCAL core {

// The datatype in which a tool sees a C++ type, and the arithmetic type in which its values are compared and parsed.
template <class T> struct value_type {
    static constexpr bool is_value = false;
};
template <datatype Type, class Arithmetic> struct number_type {
    static constexpr bool is_value = true;
    static constexpr datatype type = Type;
    using arithmetic = Arithmetic;
};
template <> struct value_type<int> : number_type<datatype::int_type, int> {};
template <> struct value_type<unsigned> : number_type<datatype::unsigned_type, unsigned> {};
template <> struct value_type<unsigned long> : number_type<datatype::unsigned_long_type, unsigned long> {};
template <>
struct value_type<unsigned long long> : number_type<datatype::unsigned_long_long_type, unsigned long long> {};
template <> struct value_type<double> : number_type<datatype::double_type, double> {};
template <> struct value_type<long> : number_type<datatype::int64_type, long> {};
template <> struct value_type<long long> : number_type<datatype::int64_type, long long> {};
template <> struct value_type<exact<std::int32_t>> : number_type<datatype::int32_type, std::int32_t> {};
template <> struct value_type<exact<std::int64_t>> : number_type<datatype::int64_type, std::int64_t> {};
template <> struct value_type<exact<std::uint32_t>> : number_type<datatype::uint32_type, std::uint32_t> {};
template <> struct value_type<exact<std::uint64_t>> : number_type<datatype::uint64_type, std::uint64_t> {};
template <> struct value_type<count> : number_type<datatype::count_type, std::int64_t> {};

template <class T>
concept number = value_type<T>::is_value;
template <class T>
concept enumerated = __is_enum(T) || __is_same(T, bool);
// The types of sums, levels, sizes and watermarks.
template <class T>
concept utilization =
    __is_same(T, unsigned) || __is_same(T, unsigned long) || __is_same(T, unsigned long long) || __is_same(T, double);

// Types of texts that authors use: std::string, which mpit does not include, similar classes, and pointers.
template <class T>
concept text_object = requires(T& object, const char* source) { object.assign(source, object.size()), object.c_str(); };
template <class T> constexpr bool is_text = text_object<T> || __is_same(T, char*) || __is_same(T, const char*);

template <class T> constexpr bool is_number = number<T>; // for assertions, which would explain a concept in many lines
template <class E> constexpr bool is_described = !__is_same(decltype(enumeration_of<E>), const not_described);

// The type T if a declaration may have it. Otherwise an assertion reports the reason, and the declaration has the type
// Otherwise, so that the compiler reports no further error.
template <class T, bool IsPossible, class Otherwise = int> struct if_possible {
    using type = T;
};
template <class T, class Otherwise> struct if_possible<T, false, Otherwise> {
    using type = Otherwise;
};

// Returns the datatype of a C++ type: MPI_INT for enumerations.
template <class T> constexpr datatype datatype_of() {
    if constexpr (enumerated<T>) return datatype::int_type;
    else return value_type<T>::type;
}
template <class T> constexpr enumeration_view enumeration_view_of() {
    if constexpr (enumerated<T>) {
        if constexpr (is_described<T>) return enumeration_of<T>.view();
    }
    return {};
}

constexpr std::uint32_t size_of(datatype type) {
    switch (type) {
    case datatype::char_type: return 1;
    case datatype::int_type:
    case datatype::unsigned_type:
    case datatype::int32_type:
    case datatype::uint32_type: return 4;
    default: return 8;
    }
}

// True if a value can be negative; true for doubles.
constexpr bool is_signed(datatype type) {
    switch (type) {
    case datatype::int_type:
    case datatype::int32_type:
    case datatype::int64_type:
    case datatype::count_type:
    case datatype::double_type: return true;
    default: return false;
    }
}

// Loads a number as a word: with its sign extended, or the bits of a double. The buffer may have any alignment.
inline std::uint64_t word_from(datatype type, const void* value) noexcept {
    std::uint64_t word = 0;
    if (size_of(type) == 8) {
        std::memcpy(&word, value, 8);
        return word;
    }
    std::uint32_t narrow = 0;
    std::memcpy(&narrow, value, 4);
    return is_signed(type) ? static_cast<std::uint64_t>(static_cast<std::int32_t>(narrow)) : narrow;
}
// Stores a word as a number. Types of 32 bits take its low half, so that they wrap as in unsigned arithmetic.
inline void word_to(datatype type, std::uint64_t word, void* value) noexcept {
    if (size_of(type) == 8) std::memcpy(value, &word, 8);
    else std::memcpy(value, &word, 4);
}

constexpr std::uint64_t bits_of(double number) noexcept { return __builtin_bit_cast(std::uint64_t, number); }
inline constexpr double largest_double = __DBL_MAX__;
constexpr double double_of(std::uint64_t word) noexcept { return __builtin_bit_cast(double, word); }
// Returns the word of a number or of an item of an enumeration.
template <class Value> constexpr std::uint64_t word_of(Value value) noexcept {
    if constexpr (__is_same(Value, double)) return bits_of(value);
    else return static_cast<std::uint64_t>(value);
}

// Arithmetic on words: of doubles if `is_real`, otherwise modulo 2 to the 64th.
inline std::uint64_t sum(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    return is_real ? bits_of(double_of(a) + double_of(b)) : a + b;
}
// The difference of two equal infinities is 0, not NaN: an infinite sum has not changed.
inline std::uint64_t difference(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    if (!is_real) return a - b;
    return a != b ? bits_of(double_of(a) - double_of(b)) : 0;
}
inline bool is_less(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    return is_real ? double_of(a) < double_of(b) : a < b;
}

} // namespace core
} // namespace mpit
