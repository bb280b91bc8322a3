// SPDX-License-Identifier: BSD-3-Clause
// Text views, texts as template arguments, and the MPI_T convention to return a string in a buffer (MPI-5.0, 15.3.3).
//
//   struct : mpit::category<"p2p", "Point-to-point messages"> {};
#pragma once

#include <mpit/core/words.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpit::inline v1_0::core { // default visibility, because hidden arguments would hide authors' types

// A string literal that can be a template argument.
template <std::size_t N> struct fixed_text {
    char characters[N]{};
    consteval fixed_text(const char (&literal)[N]) {
        for (std::size_t i = 0; i < N; i++) characters[i] = literal[i];
    }
};

} // namespace mpit::core

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// A view of a text whose memory the view does not own. `characters` points to the first byte, and `length` is the
// number of bytes before the terminating null. Threads and signal handlers must not share a view that changes.
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

inline bool has_prefix(text source, text prefix) noexcept {
    return source.length >= prefix.length && equal({source.characters, prefix.length}, prefix);
}

constexpr bool constexpr_equal(text a, text b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; i++)
        if (a.characters[i] != b.characters[i]) return false;
    return true;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool equal_letters(char a, char b) { return lower(a) == lower(b); }
// Returns the bit of a character in a 32-bit set of first letters. A letter and its capital letter have the same bit.
constexpr std::uint32_t letter_bit(char c) { return 1u << (c & 31); }
constexpr bool equal_ignoring_case(text a, text b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; i++)
        if (!equal_letters(a.characters[i], b.characters[i])) return false;
    return true;
}

constexpr bool contains(text source, text part) {
    for (std::uint32_t index = 0; index + part.length <= source.length; index++)
        if (constexpr_equal({source.characters + index, part.length}, part)) return true;
    return false;
}

// Returns eight bytes as a little-endian word, which compiles to one load. The function is one expression, because each
// statement slows down constant evaluation.
constexpr std::uint64_t eight_bytes(const char* bytes) {
    using byte = unsigned char;
    using word = std::uint64_t;
    return word{static_cast<byte>(bytes[0])} | word{static_cast<byte>(bytes[1])} << 8 |
           word{static_cast<byte>(bytes[2])} << 16 | word{static_cast<byte>(bytes[3])} << 24 |
           word{static_cast<byte>(bytes[4])} << 32 | word{static_cast<byte>(bytes[5])} << 40 |
           word{static_cast<byte>(bytes[6])} << 48 | word{static_cast<byte>(bytes[7])} << 56;
}

constexpr text without_trailing_blanks(text source) {
    while (source.length != 0 && source.characters[source.length - 1] == ' ') source.length--;
    return source;
}

// Returns a text without leading and trailing blanks. The result is a part of `source`, and may end before the null.
constexpr text without_blanks(text source) {
    while (source.length != 0 && source.characters[0] == ' ') source = {source.characters + 1, source.length - 1};
    return without_trailing_blanks(source);
}

// Returns at most the first `max_length` characters of a string as a text. A null pointer becomes the empty text.
inline text bounded_text(std::uint32_t max_length, const char* source) noexcept {
    if (source == nullptr) return {};
    return {source, static_cast<std::uint32_t>(strnlen(source, max_length))};
}

// Copies `size` bytes between separate buffers in blocks of 16 bytes, the last two of which may overlap. memcpy() would
// be slower for short texts, and would make the function that calls it save registers.
[[gnu::always_inline]] inline void copy_bytes(char* to, const char* from, std::size_t size) noexcept {
    if (size >= 16) [[likely]] {
        const std::size_t last = size - 16;
        for (std::size_t offset = 0; offset < last; offset += 16) std::memcpy(to + offset, from + offset, 16);
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

// The buffer and the length argument by which an MPI_T function returns a text (15.3.3). On entry *length is the size
// of the buffer in bytes, and on return *length is the size of the complete text with its terminating null.
class text_pair {
public:
    // If `length` is null, put() has no effect. If `buffer` is null or *length is 0, put() only updates *length.
    text_pair(char* buffer, int* length) noexcept : buffer_{buffer}, length_{length}, capacity_{0} {
        if (buffer != nullptr && length != nullptr) [[likely]]
            capacity_ = *length;
    }
    // Returns false if the caller has passed a negative length.
    bool is_well_formed() const noexcept { return capacity_ >= 0; }
    // Sets *length to the size of the complete text. If the buffer has a positive size, also stores the text and a
    // terminating null, and truncates the text to fit.
    [[gnu::always_inline]] inline void put_inline(text source) const noexcept {
        if (length_ == nullptr) [[unlikely]]
            return;
        copy(source);
        *length_ = static_cast<int>(source.length) + 1;
    }
    [[gnu::noinline]] void put(text source) const noexcept { put_inline(source); }

private:
    [[gnu::always_inline]] inline void copy(text source) const noexcept {
        int length = static_cast<int>(source.length);
        if (length >= capacity_) [[unlikely]] {
            if (capacity_ <= 0) return;
            length = capacity_ - 1;
        }
        copy_bytes(buffer_, source.characters, static_cast<std::size_t>(length));
        buffer_[length] = '\0';
    }

    char* buffer_;
    int* length_;
    int capacity_; // initial *length, because the caller may pass the same address for another result
};

} // namespace core
} // namespace mpit
