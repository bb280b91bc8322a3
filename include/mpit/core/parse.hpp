// SPDX-License-Identifier: BSD-3-Clause
// Parses a complete text as an integer or a decimal number. The decimal sign of a number is a point in every locale.
//
//   int limit;  if (!mpit::core::parse("65536", limit)) ...
#pragma once

#include <mpit/core/value.hpp> // IWYU pragma: keep

#include <locale.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The result of core::read(), which tells whether the text is a number and whether the number fits the type.
enum class reading : std::uint8_t { no_number, out_of_range, complete };

// Returns the locale "C", in which the decimal sign is a point. newlocale() allocates nothing for this locale.
inline locale_t c_locale() noexcept { return newlocale(LC_ALL_MASK, "C", locale_t{}); }

// Reads a number. If the number is outside the range of the type, `value` becomes the nearest limit of the type. An
// integer may be hexadecimal or octal. If `value_unit` is bytes, a suffix such as k, M or G may follow the number.
[[gnu::cold]] reading read(text input, long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text input, unsigned long long& value, unit value_unit = unit::none) noexcept;
[[gnu::cold]] reading read(text input, double& value, unit value_unit = unit::none) noexcept;

// Returns false and leaves `value` unchanged if the text is not a number of the type Arithmetic. The byte after the
// text must be readable and must not continue the number.
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

// Parses an item of an enumeration. The input is the item's name or a further spelling, in small or capital letters, or
// the item's integer value. An input that fits two items is rejected, unless it is exactly one item's name.
[[gnu::cold]] bool parse(text input, const enumeration_view& enumeration, int& result) noexcept;

// Moves the first element of a comma-separated list from `list` to `element`. If the list has no comma, copies the
// whole list to `element` and returns false.
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
