// Values that come from outside the program as text: a whole number or a decimal one, and nothing after it. The locale of
// the program changes nothing: the decimal sign is a point.
//
//   int limit;  if (!mpit::base::parse("65536", limit)) …
#pragma once

#include <mpit/base/value.hpp>

#include <cerrno>
#include <cstdlib>
#include <locale.h>

namespace mpit::inline v0_1::base {

// What a text is: no number, one that no value of the widest type of its kind is, or one that was read.
enum class reading : std::uint8_t { no_number, beyond, complete };

// In which the decimal sign is a point. It is a constant of the C library, and not made.
inline locale_t plain_locale() noexcept { return newlocale(LC_ALL_MASK, "C", locale_t{}); }

namespace detail {

template <class Wide, class Convert> reading read(text from, Wide& to, Convert convert) noexcept {
    char* end = nullptr;
    const int kept = errno;
    errno = 0;
    to = convert(from.characters, &end);
    const bool is_beyond = errno == ERANGE;
    errno = kept;
    if (from.length == 0 || end != from.characters + from.length) return reading::no_number;
    return is_beyond ? reading::beyond : reading::complete;
}

} // namespace detail

// Where a number is beyond its type, `to` is the end of the type on that side. Hexadecimal and octal numbers are accepted.
inline reading read(text from, long long& to) noexcept {
    return detail::read(from, to, [](const char* at, char** end) { return std::strtoll(at, end, 0); });
}
inline reading read(text from, unsigned long long& to) noexcept {
    const reading found = detail::read(from, to, [](const char* at, char** end) { return std::strtoull(at, end, 0); });
    if (found == reading::no_number || std::memchr(from.characters, '-', from.length) == nullptr) return found;
    to = 0;
    return reading::beyond;
}
inline reading read(text from, double& to) noexcept {
    const auto convert = [](const char* at, char** end) { return strtod_l(at, end, plain_locale()); };
    if (detail::read(from, to, convert) == reading::no_number) return reading::no_number;
    // Bits tell what an author's -ffast-math would compute away. Numbers that are too small have become the nearest one.
    const std::uint64_t magnitude = bits_of(to) << 1, infinity = std::uint64_t{0x7ff} << 53;
    return magnitude > infinity ? reading::no_number : magnitude == infinity ? reading::beyond : reading::complete;
}

// False, and `to` unchanged, where the text is not a number of this type. What follows the text in memory must not be able
// to continue a number.
template <class Arithmetic> bool parse(text from, Arithmetic& to) noexcept {
    if constexpr (__is_same(Arithmetic, double)) {
        double number = 0;
        if (read(from, number) != reading::complete) return false;
        to = number;
    } else if constexpr (Arithmetic(-1) < Arithmetic(0)) {
        long long number = 0;
        if (read(from, number) != reading::complete || static_cast<Arithmetic>(number) != number) return false;
        to = static_cast<Arithmetic>(number);
    } else {
        unsigned long long number = 0;
        if (read(from, number) != reading::complete || static_cast<Arithmetic>(number) != number) return false;
        to = static_cast<Arithmetic>(number);
    }
    return true;
}

// An item of an enumeration by its name, or by its value.
inline bool parse(text from, const enumeration_view& in, int& to) noexcept {
    for (int i = 0; i < in.count; i++)
        if (equal(from, in.items[i].name)) return to = in.items[i].value, true;
    int value = 0;
    if (!parse(from, value) || !in.has(value)) return false;
    return to = value, true;
}

// Takes the first element off a list that is separated by commas; whether there was a comma, and more follow.
inline bool take_element(text& list, text& element) noexcept {
    const auto* comma = static_cast<const char*>(std::memchr(list.characters, ',', list.length));
    element = list;
    if (comma == nullptr) return false;
    element.length = static_cast<std::uint32_t>(comma - list.characters);
    list = {comma + 1, list.length - element.length - 1};
    return true;
}

} // namespace mpit::base
