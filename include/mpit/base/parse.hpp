// Values that come from outside the program as text: a whole number or a decimal one, and nothing after it.
//
//   int limit;  if (!mpit::base::parse("65536", limit)) …
#pragma once

#include <mpit/base/value.hpp>

#include <cerrno>
#include <cstdlib>

namespace mpit::base {

namespace detail {
inline bool is_complete(const char* begin, const char* end) noexcept {
    return end != begin && *end == '\0' && errno == 0;
}
} // namespace detail

// False, and `to` unchanged, where the text is not a number of this type. Hexadecimal and octal numbers are accepted.
template <class Arithmetic> bool parse(text from, Arithmetic& to) noexcept {
    char* end = nullptr;
    const int kept = errno;
    errno = 0;
    bool good = false;
    if constexpr (__is_same(Arithmetic, double)) {
        const double number = std::strtod(from.characters, &end);
        good = detail::is_complete(from.characters, end) && number == number;
        if (good) to = number;
    } else if constexpr (Arithmetic(-1) < Arithmetic(0)) {
        const long long number = std::strtoll(from.characters, &end, 0);
        good = detail::is_complete(from.characters, end) && static_cast<Arithmetic>(number) == number;
        if (good) to = static_cast<Arithmetic>(number);
    } else {
        const unsigned long long number = std::strtoull(from.characters, &end, 0);
        good = detail::is_complete(from.characters, end) && static_cast<Arithmetic>(number) == number &&
               std::strchr(from.characters, '-') == nullptr;
        if (good) to = static_cast<Arithmetic>(number);
    }
    errno = kept;
    return good;
}

// An item of an enumeration by its name, or by its value.
inline bool parse(text from, const enumeration_view& in, int& to) noexcept {
    for (int i = 0; i < in.count; i++)
        if (equal(from, in.items[i].name)) return to = in.items[i].value, true;
    int value = 0;
    if (!parse(from, value) || !in.has(value)) return false;
    return to = value, true;
}

} // namespace mpit::base
