// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a type that is known at run time: how they are kept in storage, and how they are compared and parsed. In between, each is a
// word (core/value.hpp). All functions but those that parse are for any thread and for signal handlers.
//
//   const number_codec codec = codec_of<bool, int>();   store(codec, &storage, 1);   if (load(codec, &storage) != 0) …
#pragma once

#include <mpit/core/parse.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

// The type that tools see, and what is in storage: bytes, sign, and whether it is a bool, of which tools see 0 or 1.
struct number_codec {
    datatype type{};
    std::uint8_t stored_size = 0;
    bool is_stored_signed = false;
    bool is_bool = false;

    constexpr std::uint32_t seen_size() const noexcept { return core::size_of(type); }
    // Whether the bytes in storage are those that tools see.
    constexpr bool is_stored_as_seen() const noexcept { return !is_bool && stored_size == seen_size(); }
};

template <class T> constexpr bool has_sign() {
    if constexpr (__is_same(T, bool)) return false;
    else if constexpr (__is_enum(T)) return has_sign<__underlying_type(T)>();
    else if constexpr (core::number<T>) return core::is_signed(core::value_type<T>::type);
    else return T(-1) < T(0);
}
template <class T, class Storage = T> constexpr number_codec codec_of() {
    return {core::datatype_of<T>(), sizeof(Storage), has_sign<Storage>(), __is_same(T, bool)};
}

// Storage of any type: a double and a long long are not unsigned long for the compiler.
using stored_8 [[gnu::may_alias]] = std::uint8_t;
using stored_16 [[gnu::may_alias]] = std::uint16_t;
using stored_32 [[gnu::may_alias]] = std::uint32_t;
using stored_64 [[gnu::may_alias]] = std::uint64_t;

inline std::uint64_t load(const number_codec& codec, const void* storage) noexcept {
    std::uint64_t word = 0;
    switch (codec.stored_size) {
    case 1: word = __atomic_load_n(static_cast<const stored_8*>(storage), __ATOMIC_RELAXED); break;
    case 2: word = __atomic_load_n(static_cast<const stored_16*>(storage), __ATOMIC_RELAXED); break;
    case 4: word = __atomic_load_n(static_cast<const stored_32*>(storage), __ATOMIC_RELAXED); break;
    default: word = __atomic_load_n(static_cast<const stored_64*>(storage), __ATOMIC_RELAXED); break;
    }
    if (codec.is_bool) return word != 0;
    if (!codec.is_stored_signed) return word;
    const int shift = 64 - 8 * codec.stored_size;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(word << shift) >> shift);
}
inline void store(const number_codec& codec, void* storage, std::uint64_t word) noexcept {
    switch (codec.stored_size) {
    case 1: return __atomic_store_n(static_cast<stored_8*>(storage), static_cast<std::uint8_t>(word), __ATOMIC_RELEASE);
    case 2:
        return __atomic_store_n(static_cast<stored_16*>(storage), static_cast<std::uint16_t>(word), __ATOMIC_RELEASE);
    case 4:
        return __atomic_store_n(static_cast<stored_32*>(storage), static_cast<std::uint32_t>(word), __ATOMIC_RELEASE);
    default: return __atomic_store_n(static_cast<stored_64*>(storage), word, __ATOMIC_RELEASE);
    }
}

// A double that is not a number is between no others.
inline bool is_between(datatype type, std::uint64_t low, std::uint64_t word, std::uint64_t high) noexcept {
    if (type == datatype::double_type)
        return core::double_of(word) >= core::double_of(low) && core::double_of(word) <= core::double_of(high);
    if (!core::is_signed(type)) return word >= low && word <= high;
    const auto number = static_cast<std::int64_t>(word);
    return number >= static_cast<std::int64_t>(low) && number <= static_cast<std::int64_t>(high);
}

// The ends of a type.
inline std::uint64_t lowest_of(datatype type) noexcept {
    if (type == datatype::double_type) return core::bits_of(-core::largest_double);
    if (!core::is_signed(type)) return 0;
    return core::size_of(type) == 4 ? ~std::uint64_t{0x7fffffff} : std::uint64_t{1} << 63;
}
inline std::uint64_t highest_of(datatype type) noexcept {
    if (type == datatype::double_type) return core::bits_of(core::largest_double);
    return ~std::uint64_t{0} >> ((core::size_of(type) == 4 ? 32 : 0) + (core::is_signed(type) ? 1 : 0));
}

// Parses a value from outside for a variable of the kind that the name says. Apart, so that a library has only those of its types.
using number_parser = bool (*)(const control&, text written, std::uint64_t& word);

[[gnu::cold]] inline bool parse_real(const control& d, text written, std::uint64_t& word) noexcept {
    double number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = core::bits_of(number);
    return is_number;
}
[[gnu::cold]] inline bool parse_natural(const control& d, text written, std::uint64_t& word) noexcept {
    unsigned long long number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = number;
    return is_number && word <= highest_of(d.type);
}
[[gnu::cold]] inline bool parse_signed(const control& d, text written, std::uint64_t& word) noexcept {
    long long number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = static_cast<std::uint64_t>(number);
    return is_number && is_between(d.type, lowest_of(d.type), word, highest_of(d.type));
}
// Of an int, which may have items.
[[gnu::cold]] inline bool parse_int(const control& d, text written, std::uint64_t& word) noexcept {
    if (d.enumeration.count == 0) return parse_signed(d, written, word);
    int item = 0;
    const bool is_item = core::parse(written, d.enumeration, item);
    word = static_cast<std::uint64_t>(item);
    return is_item;
}
constexpr number_parser parser_of(datatype type) {
    return type == datatype::int_type      ? &parse_int
           : type == datatype::double_type ? &parse_real
           : core::is_signed(type)         ? &parse_signed
                                           : &parse_natural;
}

} // namespace descriptor
} // namespace mpit
