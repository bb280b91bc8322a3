// A JSON value as a line of text. The JSON library's own dump() calls localeconv(), which belongs to the program: its
// result may change while another thread of the program reads it.
//
//   std::string line;   append_text(line, message);
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace mpit_info {

// How many bytes the first character of a text has; 0 if that is not UTF-8.
inline std::size_t size_of_character(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
    const std::uint32_t lead = byte(0);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
    if (size < 2 || size > text.size()) return size == 1 ? 1 : 0;
    std::uint32_t character = lead & (0x7fu >> size);
    for (std::size_t i = 1; i < size; i++) {
        if (byte(i) >> 6 != 2) return 0;
        character = character << 6 | (byte(i) & 0x3f);
    }
    const bool is_surrogate = character >= 0xd800 && character < 0xe000;
    const bool is_too_long = (size == 3 && character < 0x800) || (size == 4 && character < 0x10000);
    return is_surrogate || is_too_long || character > 0x10ffff ? 0 : size;
}

// Bytes that are not UTF-8 become U+FFFD.
inline void append_string(std::string& to, std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    to += '"';
    while (!text.empty()) {
        const std::size_t size = size_of_character(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (size == 0) to += "\xef\xbf\xbd";
        else if (first == '"' || first == '\\') (to += '\\') += text[0];
        else if (first < 0x20) ((to += "\\u00") += digits[first >> 4]) += digits[first & 15];
        else to += text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    to += '"';
}

template <class Number> void append_number(std::string& to, Number number) {
    char room[64];
    const std::to_chars_result end = std::to_chars(room, room + sizeof room, number);
    const std::string_view text{room, static_cast<std::size_t>(end.ptr - room)};
    if (text.find_first_of("ni") != text.npos) {
        to += "null"; // JSON has no such number
        return;
    }
    to += text;
    if (std::is_floating_point_v<Number> && text.find_first_of(".e") == text.npos) to += ".0";
}

template <class Json> void append_text(std::string& to, const Json& value) {
    char separator = value.is_object() ? '{' : '[';
    if (value.is_structured() && value.empty()) {
        to += value.is_object() ? "{}" : "[]";
    } else if (value.is_object()) {
        for (const auto& each : value.items()) {
            to += separator;
            append_string(to, each.key());
            to += ':';
            append_text(to, each.value());
            separator = ',';
        }
        to += '}';
    } else if (value.is_array()) {
        for (const auto& each : value) {
            to += separator;
            append_text(to, each);
            separator = ',';
        }
        to += ']';
    } else if (value.is_string()) {
        append_string(to, value.template get_ref<const std::string&>());
    } else if (value.is_boolean()) {
        to += value.template get<bool>() ? "true" : "false";
    } else if (value.is_number_float()) {
        append_number(to, value.template get<double>());
    } else if (value.is_number_unsigned()) {
        append_number(to, value.template get<std::uint64_t>());
    } else if (value.is_number_integer()) {
        append_number(to, value.template get<std::int64_t>());
    } else {
        to += "null";
    }
}

} // namespace mpit_info
