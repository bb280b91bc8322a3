// A JSON value as a line of text. The JSON library's own dump() calls localeconv(), which belongs to the program: its
// result may change while another thread of the program reads it.
//
//   std::string line;   append_text(line, message);
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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

// How many of the first characters of a text stand in JSON as they are: eight at once, since most are.
inline std::size_t size_of_plain(std::string_view text) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101, highest = 0x8080808080808080;
    std::size_t size = 0;
    for (std::uint64_t word = 0; text.size() - size >= sizeof word; size += sizeof word) {
        std::memcpy(&word, text.data() + size, sizeof word);
        const std::uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
        // The highest bit of a byte is set in the byte itself, or by a subtraction if the byte is less than what is
        // subtracted.
        if (((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & highest) != 0) break;
    }
    for (; size < text.size() && text[size] != '"' && text[size] != '\\'; size++)
        if (const auto byte = static_cast<unsigned char>(text[size]); byte < 0x20 || byte >= 0x80) break;
    return size;
}

// Bytes that are not UTF-8 become U+FFFD.
inline void append_string(std::string& to, std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    to += '"';
    for (;;) {
        const std::size_t plain = size_of_plain(text);
        to += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
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
    if (std::is_floating_point_v<Number> && text.find_first_of("ni") != text.npos) {
        to += "null"; // JSON has no such number
        return;
    }
    to += text;
    if (std::is_floating_point_v<Number> && text.find_first_of(".e") == text.npos) to += ".0";
}

// Writes an object or an array member by member, so that a large one needs no memory but that of its text.
//
//   json_writer one{line, '{'};   one.add("index", 3);   append_string(one.next("name"), name);   one.end();
class json_writer {
public:
    json_writer(std::string& to, char opening) noexcept : to_{to}, opening_{opening}, separator_{opening} {}

    // The text at the place of the next value, which the caller appends.
    std::string& next() { return (to_ += std::exchange(separator_, ',')); }
    std::string& next(std::string_view name) {
        append_string(next(), name);
        return to_ += ':';
    }
    // A number, a truth value, a text, or null for a text that is a null pointer.
    template <class Value> void add(std::string_view name, const Value& value) {
        std::string& to = next(name);
        if constexpr (std::is_same_v<Value, bool>) to += value ? "true" : "false";
        else if constexpr (std::is_arithmetic_v<Value>) append_number(to, value);
        else if constexpr (std::is_pointer_v<Value>) value != nullptr ? append_string(to, value) : void(to += "null");
        else append_string(to, value);
    }
    // Elements of an array as their text, separated by commas; none if it is empty.
    void add_elements(std::string_view elements) {
        if (!elements.empty()) next() += elements;
    }
    void end() {
        if (separator_ == opening_) to_ += opening_;
        to_ += opening_ == '{' ? '}' : ']';
    }

private:
    std::string& to_;
    const char opening_;
    char separator_;
};

template <class Json> void append_text(std::string& to, const Json& value) {
    if (value.is_object()) {
        json_writer all{to, '{'};
        for (const auto& each : value.items()) append_text(all.next(each.key()), each.value());
        all.end();
    } else if (value.is_array()) {
        json_writer all{to, '['};
        for (const auto& each : value) append_text(all.next(), each);
        all.end();
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
