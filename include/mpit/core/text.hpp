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

// A null-terminated text in memory of the caller: its `characters`, and as `length` the number of bytes before the
// null. A plain value: a thread or a signal handler works on its own copy.
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

// Copies `size` bytes to other memory by vector registers, of which the last one may hold bytes of the one before. For
// the texts of variables, a call of memcpy takes longer than the copy, and its caller saves registers.
[[gnu::always_inline]] inline void copy_bytes(char* to, const char* from, std::size_t size) noexcept {
    if (size >= 16) [[likely]] {
        const std::size_t last = size - 16;
        for (std::size_t done = 0; done < last; done += 16) std::memcpy(to + done, from + done, 16);
        std::memcpy(to + last, from + last, 16);
    } else if (size >= 8) {
        std::memcpy(to, from, 8);
        std::memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        std::memcpy(to, from, 4);
        std::memcpy(to + size - 4, from + size - 4, 4);
    } else if (size > 0) {
        to[0] = from[0];
        to[size / 2] = from[size / 2];
        to[size - 1] = from[size - 1];
    }
}

// The two arguments in which a function returns a text (15.3.3): a buffer of *length bytes, and the length that is
// returned.
class text_pair {
public:
    // With a null length the pair is ignored; with a null buffer or the length 0 only the size is returned.
    text_pair(char* buffer, int* length) noexcept : buffer_{buffer}, length_{length}, room_{0} {
        if (buffer != nullptr && length != nullptr) [[likely]]
            room_ = *length;
    }
    // False for a negative length of a buffer.
    bool is_well_formed() const noexcept { return room_ >= 0; }
    // Returns the text, cut to fit with its null, and the full size. A buffer of negative length stays unchanged.
    [[gnu::always_inline]] inline void put_inline(text source) const noexcept {
        if (length_ == nullptr) [[unlikely]]
            return;
        copy(source);
        *length_ = static_cast<int>(source.length) + 1;
    }
    [[gnu::noinline]] void put(text source) const noexcept { put_inline(source); }

private:
    [[gnu::always_inline]] inline void copy(text source) const noexcept {
        int copied = static_cast<int>(source.length);
        if (copied >= room_) [[unlikely]] {
            if (room_ <= 0) return;
            copied = room_ - 1;
        }
        copy_bytes(buffer_, source.characters, static_cast<std::size_t>(copied));
        buffer_[copied] = '\0';
    }

    char* buffer_;
    int* length_;
    int room_; // read once: the caller's length may be any other word that is written
};

} // namespace core
} // namespace mpit
