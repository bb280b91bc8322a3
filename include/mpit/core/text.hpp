// SPDX-License-Identifier: BSD-3-Clause
// Texts that are template arguments, and the standard's way of returning a string in a buffer of the caller (MPI-5.0,
// 15.3.3).
//
//   struct : mpit::category<"p2p", "Point-to-point messages"> {};
#pragma once

#include <mpit/core/words.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::core { // authors have members of types with such arguments

// A string literal as a template argument.
template <std::size_t N> struct fixed_text {
    char characters[N]{};
    consteval fixed_text(const char (&literal)[N]) {
        for (std::size_t i = 0; i < N; i++) characters[i] = literal[i];
    }
};

} // namespace mpit::core

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// A null-terminated text in memory of the caller: its `characters`, and as `length` the number of bytes before the null. A plain
// value: a thread or a signal handler works on its own copy.
struct text {
    const char* characters = "";
    std::uint32_t length = 0;

    constexpr text() noexcept {}
    constexpr text(const char* source) noexcept
        : characters{source}, length{static_cast<std::uint32_t>(__builtin_strlen(source))} {}
    constexpr text(const char* source, std::uint32_t size) noexcept : characters{source}, length{size} {}
};

inline bool equal(text a, text b) noexcept {
    return a.length == b.length && std::memcmp(a.characters, b.characters, a.length) == 0;
}

inline bool has_prefix(text whole, text prefix) noexcept {
    return whole.length >= prefix.length && equal({whole.characters, prefix.length}, prefix);
}

constexpr bool equal_in_the_compiler(text a, text b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; i++)
        if (a.characters[i] != b.characters[i]) return false;
    return true;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_same_letter(char a, char b) { return lower(a) == lower(b); }
// A bit for sets of first letters: the same for a small letter and a capital, and for some other characters.
constexpr std::uint32_t bit_of_letter(char c) { return 1u << (c & 31); }
constexpr bool equal_but_for_case(text a, text b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; i++)
        if (!is_same_letter(a.characters[i], b.characters[i])) return false;
    return true;
}

constexpr bool contains(text whole, text part) {
    for (std::uint32_t index = 0; index + part.length <= whole.length; index++)
        if (equal_in_the_compiler({whole.characters + index, part.length}, part)) return true;
    return false;
}

// One load, and one expression for the sake of the compiler that evaluates it.
constexpr std::uint64_t eight_bytes(const char* bytes) {
    using byte = unsigned char;
    using word = std::uint64_t;
    return word{static_cast<byte>(bytes[0])} | word{static_cast<byte>(bytes[1])} << 8 |
           word{static_cast<byte>(bytes[2])} << 16 | word{static_cast<byte>(bytes[3])} << 24 |
           word{static_cast<byte>(bytes[4])} << 32 | word{static_cast<byte>(bytes[5])} << 40 |
           word{static_cast<byte>(bytes[6])} << 48 | word{static_cast<byte>(bytes[7])} << 56;
}

constexpr text without_trailing_blanks(text whole) {
    while (whole.length != 0 && whole.characters[whole.length - 1] == ' ') whole.length--;
    return whole;
}

// The text between its leading and trailing blanks. It is a part of the other, so no null need follow it.
constexpr text without_blanks(text whole) {
    while (whole.length != 0 && whole.characters[0] == ' ') whole = {whole.characters + 1, whole.length - 1};
    return without_trailing_blanks(whole);
}

// A text of the caller, of which at most `most` characters are read. Null becomes the empty text.
inline text text_of_at_most(std::uint32_t most, const char* source) noexcept {
    if (source == nullptr) return {};
    return {source, static_cast<std::uint32_t>(strnlen(source, most))};
}

// Whether a string argument pair is well formed; a negative capacity is not.
constexpr bool is_well_formed(const int* length) { return length == nullptr || *length >= 0; }

// Returns `source` into a buffer of *length bytes as 15.3.3 says: cut to fit with its null, the full size comes back. A null
// length turns the pair off; a null buffer or the length 0 asks for the size alone.
inline void return_text(text source, char* buffer, int* length) noexcept {
    if (length == nullptr) return;
    if (buffer != nullptr && *length > 0) {
        const std::uint32_t room = static_cast<std::uint32_t>(*length) - 1;
        const std::uint32_t copied = source.length < room ? source.length : room;
        std::memcpy(buffer, source.characters, copied);
        buffer[copied] = '\0';
    }
    *length = static_cast<int>(source.length) + 1;
}

} // namespace core
} // namespace mpit

#pragma GCC diagnostic pop
