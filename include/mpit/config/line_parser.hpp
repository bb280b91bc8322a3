// SPDX-License-Identifier: BSD-3-Clause
// Parses a line `NAME = value` of a configuration file. A # at the beginning of a word starts a comment. A text value
// needs quotes if the text is empty, contains a # or has blanks at the ends. Between quotes the parser replaces each
// escape \" \\ \n \r \t or \x4F by one character.
//
//   configuration_line line;   if (line.read(begin, end) == line_error::none) …  line.name  line.value
#pragma once

#include <mpit/core/name.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::text;

// The error in a line of a configuration file.
enum class line_error : std::uint8_t {
    none,
    no_setting, // an empty line or a comment is correct, but has no setting
    no_equals,
    bad_name,
    no_value,
    open_quotes,
    bad_escape,
    trailing_text,
    embedded_null,
};

constexpr const char* to_string(line_error error) noexcept {
    switch (error) {
    case line_error::no_equals: return "expected NAME = value";
    case line_error::bad_name: return "expected a name of 1 to 255 printable characters without blanks";
    case line_error::no_value: return "expected a value after the =, or \"\" for an empty text";
    case line_error::open_quotes: return "expected a closing quote";
    case line_error::bad_escape: return "expected \" \\ n r t or x and two hexadecimal digits after a \\ in quotes";
    case line_error::trailing_text: return "expected only a comment after the closing quote";
    case line_error::embedded_null: return "expected a text without null characters";
    default: return "";
    }
}

// One line of a configuration file. read() replaces escapes in the line and writes nulls after the name and the value.
class configuration_line {
public:
    text name, value;

    // Parses the line from `begin` to `end`, which is the position of the newline or of the null after the file.
    [[gnu::cold]] line_error read(char* begin, char* end) noexcept {
        while (end != begin && is_blank(end[-1])) end--;
        begin = skip_blanks(begin, end);
        if (begin == end || *begin == '#') return line_error::no_setting;
        if (std::memchr(begin, '\0', static_cast<std::size_t>(end - begin)) != nullptr)
            return line_error::embedded_null;
        auto* const equals = static_cast<char*>(std::memchr(begin, '=', static_cast<std::size_t>(end - begin)));
        if (equals == nullptr) return line_error::no_equals;
        char* end_of_name = equals;
        while (end_of_name != begin && is_blank(end_of_name[-1])) end_of_name--;
        const text parsed_name{begin, static_cast<std::uint32_t>(end_of_name - begin)};
        if (!core::is_possible_name(parsed_name)) return line_error::bad_name;
        char* const value_begin = skip_blanks(equals + 1, end);
        const line_error error =
            value_begin != end && *value_begin == '"' ? read_quoted(value_begin, end) : read_plain(value_begin, end);
        if (error != line_error::none) return error;
        *end_of_name = '\0';
        name = parsed_name;
        return line_error::none;
    }

private:
    static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
    static char* skip_blanks(char* begin, char* end) noexcept {
        while (begin != end && is_blank(*begin)) begin++;
        return begin;
    }
    line_error read_plain(char* begin, char* end) noexcept {
        char* comment = begin;
        while (comment != end && (*comment != '#' || (comment != begin && !is_blank(comment[-1])))) comment++;
        end = comment;
        while (end != begin && is_blank(end[-1])) end--;
        if (begin == end) return line_error::no_value;
        *end = '\0';
        value = {begin, static_cast<std::uint32_t>(end - begin)};
        return line_error::none;
    }
    line_error read_quoted(char* opening, char* end) noexcept {
        char* closing = opening + 1;
        for (; closing != end && *closing != '"'; closing++)
            if (*closing == '\\' && !is_escape(closing, end)) return line_error::bad_escape;
            else if (*closing == '\\') closing += closing[1] == 'x' ? 3 : 1;
        if (closing == end) return line_error::open_quotes;
        const char* const trailing = skip_blanks(closing + 1, end);
        if (trailing != end && (*trailing != '#' || trailing == closing + 1)) return line_error::trailing_text;
        char* output = opening + 1;
        value.characters = output;
        for (const char* next = output; next != closing; next++) *output++ = *next != '\\' ? *next : unescaped(next);
        *output = '\0';
        value.length = static_cast<std::uint32_t>(output - value.characters);
        return line_error::none;
    }
    static int digit(char c) noexcept {
        if (c >= '0' && c <= '9') return c - '0';
        const char small = static_cast<char>(c | 0x20);
        return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
    }
    // True if an escape is complete and does not stand for the null character, which a text cannot contain.
    static bool is_escape(const char* next, const char* end) noexcept {
        if (end - next < 2) return false;
        if (next[1] != 'x') return std::strchr("\"\\nrt", next[1]) != nullptr;
        return end - next >= 4 && digit(next[2]) >= 0 && digit(next[3]) >= 0 && digit(next[2]) + digit(next[3]) > 0;
    }
    // Returns the character for which an escape stands, and moves `next` to the last character of the escape.
    static char unescaped(const char*& next) noexcept {
        switch (*++next) {
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'x': next += 2; return static_cast<char>(digit(next[-1]) * 16 + digit(next[0]));
        default: return *next;
        }
    }
};

} // namespace registry
} // namespace mpit
