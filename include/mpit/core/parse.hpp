// SPDX-License-Identifier: BSD-3-Clause
// Parses a whole number or a decimal number from text, with nothing after it. Independent of the locale: the decimal
// sign is a point.
//
//   int limit;  if (!mpit::core::parse("65536", limit)) …
#pragma once

#include <mpit/core/value.hpp>

#include <cerrno>
#include <cstdlib>
#include <locale.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The result of parsing: no number, one that no value of the widest type of its kind is, or one that was read.
enum class reading : std::uint8_t { no_number, out_of_range, complete };

// In which the decimal sign is a point. It is a constant of the C library, and not made.
inline locale_t plain_locale() noexcept { return newlocale(LC_ALL_MASK, "C", locale_t{}); }

namespace MPIT_MODULE_LOCAL detail {

// By how many bits a number is shifted that counts in k, M, G, T, P or E, with an i or a B behind it or without, in small
// or capital letters: each is 1024 of the one before, as communication libraries read them. -1 for any other letters.
constexpr int shift_of(text letters) {
    constexpr text prefixes = "kmgtpe";
    std::uint32_t index = 0;
    int shift = 0;
    for (std::uint32_t i = 0; i < prefixes.length && letters.length != 0; i++)
        if (is_same_letter(letters.characters[0], prefixes.characters[i]))
            index = 1, shift = static_cast<int>(i + 1) * 10;
    if (index != 0 && index < letters.length && is_same_letter(letters.characters[index], 'i')) index++;
    if (index < letters.length && is_same_letter(letters.characters[index], 'b')) index++;
    return index == letters.length ? shift : -1;
}

// Returns false if the number goes beyond its type; then it becomes the end of the type.
inline bool scale(double& number, int shift) noexcept {
    number *= static_cast<double>(1ull << shift);
    return true;
}
template <class Wide> bool scale(Wide& number, int shift) noexcept {
    const Wide unscaled = number;
    if (!__builtin_mul_overflow(unscaled, Wide{1} << shift, &number)) return true;
    constexpr bool is_signed = Wide(-1) < Wide(0);
    constexpr Wide highest = static_cast<Wide>(~0ull >> is_signed);
    number = unscaled < Wide(0) ? ~highest : highest;
    return false;
}

template <class Wide, class Convert>
reading read(text written, Wide& value, unit value_unit, Convert convert) noexcept {
    char* end = nullptr;
    const int kept = errno;
    errno = 0;
    value = convert(written.characters, &end);
    bool is_beyond = errno == ERANGE;
    errno = kept;
    const auto taken = static_cast<std::size_t>(end - written.characters);
    if (taken == 0 || taken > written.length) return reading::no_number;
    if (taken != written.length) {
        const int shift =
            value_unit != unit::bytes ? -1 : shift_of({end, written.length - static_cast<std::uint32_t>(taken)});
        if (shift < 0) return reading::no_number;
        is_beyond = !scale(value, shift) || is_beyond;
    }
    return is_beyond ? reading::out_of_range : reading::complete;
}

} // namespace detail

// Where a number is beyond its type, `value` is the end of the type on that side. Hexadecimal and octal numbers are accepted,
// and k, M, G, … behind a number of bytes.
inline reading read(text written, long long& value, unit value_unit = unit::none) noexcept {
    return detail::read(written, value, value_unit,
                        [](const char* begin, char** end) { return std::strtoll(begin, end, 0); });
}
inline reading read(text written, unsigned long long& value, unit value_unit = unit::none) noexcept {
    const reading found = detail::read(written, value, value_unit,
                                       [](const char* begin, char** end) { return std::strtoull(begin, end, 0); });
    if (found == reading::no_number || std::memchr(written.characters, '-', written.length) == nullptr) return found;
    value = 0;
    return reading::out_of_range;
}
inline reading read(text written, double& value, unit value_unit = unit::none) noexcept {
    const auto convert = [](const char* begin, char** end) { return strtod_l(begin, end, plain_locale()); };
    if (detail::read(written, value, value_unit, convert) == reading::no_number) return reading::no_number;
    // Bits tell what an author's -ffast-math would compute away. Numbers that are too small have become the nearest one.
    const std::uint64_t magnitude = bits_of(value) << 1, infinity = std::uint64_t{0x7ff} << 53;
    return magnitude > infinity    ? reading::no_number
           : magnitude == infinity ? reading::out_of_range
                                   : reading::complete;
}

// False, and `value` unchanged, where the text is not a number of this type. The byte behind the text must not continue a
// number.
template <class Arithmetic> bool parse(text written, Arithmetic& value, unit value_unit = unit::none) noexcept {
    if constexpr (__is_same(Arithmetic, double)) {
        double number = 0;
        if (read(written, number, value_unit) != reading::complete) return false;
        value = number;
    } else if constexpr (Arithmetic(-1) < Arithmetic(0)) {
        long long number = 0;
        if (read(written, number, value_unit) != reading::complete || static_cast<Arithmetic>(number) != number)
            return false;
        value = static_cast<Arithmetic>(number);
    } else {
        unsigned long long number = 0;
        if (read(written, number, value_unit) != reading::complete || static_cast<Arithmetic>(number) != number)
            return false;
        value = static_cast<Arithmetic>(number);
    }
    return true;
}

// An item of an enumeration by its name or another spelling, in small or capital letters, or by its value. Names that differ
// only in the case of letters are accepted only as they are declared.
inline bool parse(text written, const enumeration_view& enumeration, int& result) noexcept {
    int value = 0, found = 0;
    for (int i = 0; i < enumeration.count; i++) {
        const enumeration_item& each = enumeration.items[i];
        if (equal(written, each.name)) return result = each.value, true;
        if (is_spelling_of(written, each.name, each.also)) value = each.value, found++;
    }
    if (found > 1 || (found == 0 && (!parse(written, value) || !enumeration.has(value)))) return false;
    return result = value, true;
}

// Takes the first element off a list that is separated by commas; whether there was a comma, and more follow.
inline bool take_element(text& list, text& element, char separator = ',') noexcept {
    const auto* comma = static_cast<const char*>(std::memchr(list.characters, separator, list.length));
    element = list;
    if (comma == nullptr) return false;
    element.length = static_cast<std::uint32_t>(comma - list.characters);
    list = {comma + 1, list.length - element.length - 1};
    return true;
}

} // namespace core
} // namespace mpit
