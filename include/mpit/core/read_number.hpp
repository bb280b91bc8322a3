// SPDX-License-Identifier: BSD-3-Clause
// Reads a number or an item of an enumeration from text, for core::parse.
//
//   long long number;  if (core::read("64k", number, unit::bytes) != core::reading::complete) …
#pragma once

#include <mpit/core/parse.hpp>

#include <cerrno>
#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

namespace MPIT_MODULE_LOCAL detail {

// By how many bits a number is shifted that counts in k, M, G, T, P or E, with an i or a B behind it or without, in
// small or capital letters: each is 1024 of the one before, as communication libraries read them. -1 for any other
// letters.
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

MPIT_INLINE reading read(text written, long long& value, unit value_unit) noexcept {
    return detail::read(written, value, value_unit,
                        [](const char* begin, char** end) { return std::strtoll(begin, end, 0); });
}
MPIT_INLINE reading read(text written, unsigned long long& value, unit value_unit) noexcept {
    const reading found = detail::read(written, value, value_unit,
                                       [](const char* begin, char** end) { return std::strtoull(begin, end, 0); });
    if (found == reading::no_number || std::memchr(written.characters, '-', written.length) == nullptr) return found;
    value = 0;
    return reading::out_of_range;
}
MPIT_INLINE reading read(text written, double& value, unit value_unit) noexcept {
    const auto convert = [](const char* begin, char** end) { return strtod_l(begin, end, plain_locale()); };
    if (detail::read(written, value, value_unit, convert) == reading::no_number) return reading::no_number;
    // Bits tell what an author's -ffast-math would compute away. Numbers that are too small have become the nearest
    // one.
    const std::uint64_t magnitude = bits_of(value) << 1, infinity = std::uint64_t{0x7ff} << 53;
    return magnitude > infinity    ? reading::no_number
           : magnitude == infinity ? reading::out_of_range
                                   : reading::complete;
}

MPIT_INLINE bool parse(text written, const enumeration_view& enumeration, int& result) noexcept {
    int value = 0, found = 0;
    for (int i = 0; i < enumeration.count; i++) {
        const enumeration_item& each = enumeration.items[i];
        if (equal(written, each.name)) return result = each.value, true;
        if (is_spelling_of(written, each.name, each.also)) value = each.value, found++;
    }
    if (found > 1 || (found == 0 && (!parse(written, value) || !enumeration.has(value)))) return false;
    return result = value, true;
}

} // namespace core
} // namespace mpit
