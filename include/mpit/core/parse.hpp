// SPDX-License-Identifier: BSD-3-Clause
// Parses an integer or a decimal number from a complete text. Independent of the locale: the decimal sign is a point.
//
//   int limit;  if (!mpit::core::parse("65536", limit)) ...
#pragma once

#include <mpit/core/value.hpp> // IWYU pragma: keep

#include <locale.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The result of parsing: the text is not a number, is a number beyond the widest type of its kind, or was read.
enum class reading : std::uint8_t { no_number, out_of_range, complete };

// The locale "C", in which the decimal sign is a point: a constant object of the C library, which allocates nothing.
inline locale_t c_locale() noexcept { return newlocale(LC_ALL_MASK, "C", locale_t{}); }

// Reads a number. If it is beyond its type, `value` is the nearest end of the type. Hexadecimal and octal integers are
// accepted, and k, M, G, ... behind a number of bytes. (read_number.hpp)
[[gnu::cold]] reading read(text input, long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text input, unsigned long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text input, double& value, unit value_unit = unit::none) noexcept;

// Returns false, with `value` unchanged, if the text is not a number of this type. The byte behind the text must be
// readable and must not continue a number.
template <class Arithmetic> bool parse(text input, Arithmetic& value, unit value_unit = unit::none) noexcept {
    if constexpr (__is_same(Arithmetic, double)) {
        double number = 0;
        if (read(input, number, value_unit) != reading::complete) return false;
        value = number;
    } else if constexpr (Arithmetic(-1) < Arithmetic(0)) {
        long long number = 0;
        if (read(input, number, value_unit) != reading::complete || static_cast<Arithmetic>(number) != number)
            return false;
        value = static_cast<Arithmetic>(number);
    } else {
        unsigned long long number = 0;
        if (read(input, number, value_unit) != reading::complete || static_cast<Arithmetic>(number) != number)
            return false;
        value = static_cast<Arithmetic>(number);
    }
    return true;
}

// Parses an item of an enumeration: its name or another spelling, in small or capital letters, or its value. Names that
// differ in the case of letters alone are accepted only as they are declared.
[[gnu::cold]] bool parse(text input, const enumeration_view& enumeration, int& result) noexcept;

// Removes the first element from a list that commas separate. Returns true if a comma and another element follow.
inline bool split_first(text& list, text& element, char separator = ',') noexcept {
    const auto* comma = static_cast<const char*>(std::memchr(list.characters, separator, list.length));
    element = list;
    if (comma == nullptr) return false;
    element.length = static_cast<std::uint32_t>(comma - list.characters);
    list = {comma + 1, list.length - element.length - 1};
    return true;
}

} // namespace core
} // namespace mpit
