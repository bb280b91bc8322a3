// SPDX-License-Identifier: BSD-3-Clause
// Maps C++ types to the eleven datatypes of variables (MPI-5.0, table 15.4), and adds and compares values as 64-bit
// words. Any thread and any signal handler may call the functions of this file, which access only the arguments.
//
//   mpit::control<mpit::count> longest{this, "LONGEST", "..."};   // MPI_COUNT
#pragma once

#include <mpit/core/enumeration.hpp>

namespace mpit::inline v1_0 {

// The number `value`, which tools see as an MPI_INT32_T, MPI_INT64_T, MPI_UINT32_T or MPI_UINT64_T. Tools see the plain
// types int and unsigned as MPI_INT and MPI_UNSIGNED.
template <class T> struct exact {
    T value{};
    MPIT_MODULE_LOCAL constexpr exact(T v = {}) noexcept : value{v} {}
    MPIT_MODULE_LOCAL constexpr operator T() const noexcept { return value; }
};

// The signed 64-bit number `value`, which tools see as an MPI_COUNT.
struct count {
    std::int64_t value = 0;
    MPIT_MODULE_LOCAL constexpr count(std::int64_t v = 0) noexcept : value{v} {}
    MPIT_MODULE_LOCAL constexpr operator std::int64_t() const noexcept { return value; }
};

namespace MPIT_MODULE_LOCAL core {

// The MPI datatype of a C++ type, and the arithmetic type in which the library compares and parses values of the type.
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
// The types that performance variables of the classes level, size, watermark and aggregate may have (MPI-5.0, 15.3.7).
template <class T>
concept utilization =
    __is_same(T, unsigned) || __is_same(T, unsigned long) || __is_same(T, unsigned long long) || __is_same(T, double);

// A text class such as std::string, which has assign(), size() and c_str(). mpit does not include <string>.
template <class T>
concept text_object = requires(T& object, const char* source) { object.assign(source, object.size()), object.c_str(); };
template <class T> constexpr bool is_text = text_object<T> || __is_same(T, char*) || __is_same(T, const char*);

template <class T> constexpr bool is_number = number<T>; // an assertion explains a failed concept in many lines
template <class E> constexpr bool is_described = !__is_same(decltype(enumeration_of<E>), const not_described);

// The member `type` is T if a declaration may have the type T. If a declaration must not have the type T, a static
// assertion reports the reason, and `type` is Otherwise. The compiler therefore reports no further error.
template <class T, bool IsPossible, class Otherwise = int> struct if_possible {
    using type = T;
};
template <class T, class Otherwise> struct if_possible<T, false, Otherwise> {
    using type = Otherwise;
};

// Returns the datatype of a C++ type, which is MPI_INT for an enumeration.
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

// Returns true if a value of the datatype can be negative, as a double can.
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

// Loads a number of any alignment as a 64-bit word. An integer is extended to 64 bits, and a double keeps its bits.
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
// Stores a 64-bit word as a number. A datatype of 32 bits receives the low half of the word.
inline void word_to(datatype type, std::uint64_t word, void* value) noexcept {
    if (size_of(type) == 8) std::memcpy(value, &word, 8);
    else std::memcpy(value, &word, 4);
}

constexpr std::uint64_t bits_of(double number) noexcept { return __builtin_bit_cast(std::uint64_t, number); }
inline constexpr double largest_double = __DBL_MAX__;
constexpr double double_of(std::uint64_t word) noexcept { return __builtin_bit_cast(double, word); }
// Returns a number or an item of an enumeration as a 64-bit word.
template <class Value> constexpr std::uint64_t word_of(Value value) noexcept {
    if constexpr (__is_same(Value, double)) return bits_of(value);
    else return static_cast<std::uint64_t>(value);
}

// Adds two words, as doubles if `is_real` is true, and otherwise as integers modulo 2 to the power of 64.
inline std::uint64_t sum(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    return is_real ? bits_of(double_of(a) + double_of(b)) : a + b;
}
// Subtracts two words. The difference of equal infinities is 0 instead of NaN, because the value has not changed.
inline std::uint64_t difference(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    if (!is_real) return a - b;
    return a != b ? bits_of(double_of(a) - double_of(b)) : 0;
}
inline bool is_less(bool is_real, std::uint64_t a, std::uint64_t b) noexcept {
    return is_real ? double_of(a) < double_of(b) : a < b;
}

} // namespace core
} // namespace mpit
