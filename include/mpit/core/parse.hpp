// SPDX-License-Identifier: BSD-3-Clause
// Parses a whole number or a decimal number from text, with nothing after it. Independent of the locale: the decimal
// sign is a point.
//
//   int limit;  if (!mpit::core::parse("65536", limit)) …
#pragma once

#include <mpit/core/value.hpp>

#include <locale.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The result of parsing: no number, one that no value of the widest type of its kind is, or one that was read.
enum class reading : std::uint8_t { no_number, out_of_range, complete };

// In which the decimal sign is a point. It is a constant of the C library, and not made.
inline locale_t plain_locale() noexcept { return newlocale(LC_ALL_MASK, "C", locale_t{}); }

// Where a number is beyond its type, `value` is the end of the type on that side. Hexadecimal and octal numbers are
// accepted, and k, M, G, … behind a number of bytes. (read_number.hpp)
[[gnu::cold]] reading read(text written, long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text written, unsigned long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text written, double& value, unit value_unit = unit::none) noexcept;

// False, and `value` unchanged, where the text is not a number of this type. The byte behind the text must not continue
// a number.
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

// An item of an enumeration by its name or another spelling, in small or capital letters, or by its value. Names that
// differ only in the case of letters are accepted only as they are declared.
[[gnu::cold]] bool parse(text written, const enumeration_view& enumeration, int& result) noexcept;

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
