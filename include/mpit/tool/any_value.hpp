// SPDX-License-Identifier: BSD-3-Clause
// A value of whatever type a variable has, for tools that show variables that they do not know: no value is truncated
// and no sign lost.
// Any thread may call these functions; they allocate, and are not for signal handlers.
//
//   mpit::tool::any_value value;   if (limit.read(value) == mpit::result::success) std::puts(text_of(value).c_str());
#pragma once

#include <mpit/core/real_text.hpp>
#include <mpit/tool/info.hpp>

#include <cstring>
#include <variant>

namespace mpit::inline v0_1::tool {

// A text, or as many numbers as the variable has elements.
using any_value = std::variant<std::string, std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>>;

namespace MPIT_MODULE_LOCAL detail {

template <class Number> std::vector<Number> numbers_in(const char* bytes, std::uint32_t count, datatype type) {
    std::vector<Number> all;
    all.reserve(count);
    for (std::uint32_t i = 0; i < count; i++, bytes += core::size_of(type))
        all.push_back(__builtin_bit_cast(Number, core::word_from(type, bytes)));
    return all;
}
template <class Number> void numbers_to(char* bytes, const std::vector<Number>& all, const variable_info& variable) {
    for (const Number each : all) {
        if (variable.is_bool) {
            *bytes++ = each != 0;
        } else {
            core::word_to(*variable.type, __builtin_bit_cast(std::uint64_t, each), bytes);
            bytes += core::size_of(*variable.type);
        }
    }
}

inline std::string text_of(double number) { return core::real_text{number}.characters; }
inline std::string text_of(std::int64_t number) { return std::to_string(number); }
inline std::string text_of(std::uint64_t number) { return std::to_string(number); }

} // namespace detail

// Bytes of an element; 0 if its type is not one of the standard.
inline std::uint32_t size_of_element(const variable_info& variable) noexcept {
    return variable.type ? core::size_of(*variable.type) : variable.is_bool ? 1 : 0;
}

// The value in the bytes that an implementation has stored, `count` elements of a variable.
inline any_value value_in(const char* bytes, std::uint32_t count, const variable_info& variable) {
    if (variable.is_bool) return std::vector<std::uint64_t>(bytes, bytes + count);
    const datatype type = *variable.type;
    if (type == datatype::char_type) return std::string(bytes, strnlen(bytes, count));
    if (type == datatype::double_type) return detail::numbers_in<double>(bytes, count, type);
    if (core::is_signed(type)) return detail::numbers_in<std::int64_t>(bytes, count, type);
    return detail::numbers_in<std::uint64_t>(bytes, count, type);
}

// As people read it: an item's name where the variable has an enumeration, elements with a blank between them.
inline std::string text_of(const any_value& value, const enumeration_info& enumeration = {}) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    std::string all;
    std::visit(
        [&](const auto& elements) {
            if constexpr (!__is_same(std::decay_t<decltype(elements)>, std::string))
                for (const auto each : elements) {
                    const std::string* item = enumeration.name_of(static_cast<int>(each));
                    all += (all.empty() ? "" : " ") + (item != nullptr ? *item : detail::text_of(each));
                }
        },
        value);
    return all;
}

} // namespace mpit::tool
