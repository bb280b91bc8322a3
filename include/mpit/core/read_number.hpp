// SPDX-License-Identifier: BSD-3-Clause
// Implements core::read() for numbers and core::parse() for items of enumerations.
//
//   long long number;  if (core::read("64k", number, unit::bytes) != core::reading::complete) ...
#pragma once

#include <mpit/core/parse.hpp>

#include <cerrno>
#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

namespace MPIT_MODULE_LOCAL detail {

// Returns the number of bits by which a suffix shifts a number of bytes, from 10 for k to 60 for E. The suffix may be a
// small or capital letter, and i, B or iB may follow. Returns 0 for the suffix B, and -1 for a wrong suffix.
constexpr int shift_of(text letters) {
    constexpr text prefixes = "kmgtpe";
    std::uint32_t index = 0;
    int shift = 0;
    for (std::uint32_t i = 0; i < prefixes.length && letters.length != 0; i++)
        if (equal_letters(letters.characters[0], prefixes.characters[i]))
            index = 1, shift = static_cast<int>(i + 1) * 10;
    if (index != 0 && index < letters.length && equal_letters(letters.characters[index], 'i')) index++;
    if (index < letters.length && equal_letters(letters.characters[index], 'b')) index++;
    return index == letters.length ? shift : -1;
}

// Multiplies `number` by 1 << shift. On integer overflow, stores the nearest limit of the type and returns false.
inline bool scale(double& number, int shift) noexcept {
    number *= static_cast<double>(1ull << shift);
    return true;
}
template <class Number> bool scale(Number& number, int shift) noexcept {
    const Number unscaled = number;
    if (!__builtin_mul_overflow(unscaled, Number{1} << shift, &number)) return true;
    constexpr bool is_signed = Number(-1) < Number(0);
    constexpr Number highest = static_cast<Number>(~0ull >> is_signed);
    number = unscaled < Number(0) ? ~highest : highest;
    return false;
}

template <class Number, class Convert>
reading read(text input, Number& value, unit value_unit, Convert convert) noexcept {
    char* end = nullptr;
    const int saved_errno = errno;
    errno = 0;
    value = convert(input.characters, &end);
    bool is_out_of_range = errno == ERANGE;
    errno = saved_errno;
    const auto length = static_cast<std::size_t>(end - input.characters);
    if (length == 0 || length > input.length) return reading::no_number;
    if (length != input.length) {
        const int shift =
            value_unit != unit::bytes ? -1 : shift_of({end, input.length - static_cast<std::uint32_t>(length)});
        if (shift < 0) return reading::no_number;
        is_out_of_range = !scale(value, shift) || is_out_of_range;
    }
    return is_out_of_range ? reading::out_of_range : reading::complete;
}

} // namespace detail

MPIT_INLINE reading read(text input, long long& value, unit value_unit) noexcept {
    return detail::read(input, value, value_unit,
                        [](const char* begin, char** end) { return std::strtoll(begin, end, 0); });
}
MPIT_INLINE reading read(text input, unsigned long long& value, unit value_unit) noexcept {
    const reading status = detail::read(input, value, value_unit,
                                        [](const char* begin, char** end) { return std::strtoull(begin, end, 0); });
    if (status == reading::no_number || std::memchr(input.characters, '-', input.length) == nullptr) return status;
    value = 0;
    return reading::out_of_range;
}
MPIT_INLINE reading read(text input, double& value, unit value_unit) noexcept {
    const auto convert = [](const char* begin, char** end) { return strtod_l(begin, end, c_locale()); };
    if (detail::read(input, value, value_unit, convert) == reading::no_number) return reading::no_number;
    // read() compares bits, because -ffast-math removes floating-point tests for infinity and NaN. read() ignores
    // ERANGE, because strtod() also sets ERANGE for a tiny number, for which the nearest double is a good result.
    const std::uint64_t magnitude = bits_of(value) << 1, infinity = std::uint64_t{0x7ff} << 53;
    return magnitude > infinity    ? reading::no_number
           : magnitude == infinity ? reading::out_of_range
                                   : reading::complete;
}

MPIT_INLINE bool parse(text input, const enumeration_view& enumeration, int& result) noexcept {
    int value = 0, matches = 0;
    for (int i = 0; i < enumeration.count; i++) {
        const enumeration_item& item = enumeration.items[i];
        if (equal(input, item.name)) return result = item.value, true;
        if (is_spelling_of(input, item.name, item.also)) value = item.value, matches++;
    }
    if (matches > 1 || (matches == 0 && (!parse(input, value) || !enumeration.has(value)))) return false;
    return result = value, true;
}

} // namespace core
} // namespace mpit
