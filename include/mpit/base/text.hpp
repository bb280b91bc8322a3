// Texts: constants that are template arguments, the syntax of names, their hash, and the standard's way of returning a
// string into a buffer of the caller (MPI-5.0, 15.3.3).
//
//   struct : mpit::category<"p2p", "Point-to-point messages"> {};
#pragma once

#include <mpit/base/complaint.hpp>
#include <mpit/base/words.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpit::inline v0_1::base {

// A string literal as a template argument.
template <std::size_t N> struct fixed_text {
    char characters[N]{};
    consteval fixed_text(const char (&literal)[N]) {
        for (std::size_t i = 0; i < N; i++) characters[i] = literal[i];
    }
};

// A text that somebody else keeps, and that ends in a null.
struct text {
    const char* characters = "";
    std::uint32_t length = 0;

    constexpr text() noexcept {}
    constexpr text(const char* from) noexcept
        : characters{from}, length{static_cast<std::uint32_t>(__builtin_strlen(from))} {}
    constexpr text(const char* from, std::uint32_t size) noexcept : characters{from}, length{size} {}
};

inline bool equal(text a, text b) noexcept {
    return a.length == b.length && std::memcmp(a.characters, b.characters, a.length) == 0;
}

constexpr bool equal_in_the_compiler(text a, text b) {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; i++)
        if (a.characters[i] != b.characters[i]) return false;
    return true;
}

constexpr bool contains(text whole, text part) {
    for (std::uint32_t at = 0; at + part.length <= whole.length; at++)
        if (equal_in_the_compiler({whole.characters + at, part.length}, part)) return true;
    return false;
}

inline constexpr std::uint32_t longest_name = 255;

constexpr void check_name(text name) {
    if (name.length == 0) error::a_name_is_empty();
    if (name.length > longest_name) error::a_name_is_longer_than_255_characters();
    for (std::uint32_t i = 0; i < name.length; i++)
        if (name.characters[i] <= ' ' || name.characters[i] > '~')
            error::a_name_has_a_space_or_a_character_that_is_not_printable();
}

namespace detail {

// Compilers make one load of each of these.
constexpr std::uint64_t byte_at(const char* from, std::uint32_t at) {
    return std::uint64_t{static_cast<unsigned char>(from[at])} << 8 * at;
}
constexpr std::uint64_t four_bytes(const char* from) {
    return byte_at(from, 0) | byte_at(from, 1) | byte_at(from, 2) | byte_at(from, 3);
}
constexpr std::uint64_t eight_bytes(const char* from) { return four_bytes(from) | four_bytes(from + 4) << 32; }

// The last `count` bytes, fewer than eight, of a text. The loads overlap, so that no loop depends on the count.
constexpr std::uint64_t last_bytes(text t, std::uint32_t count) {
    const char* at = t.characters + (t.length - count);
    if (t.length >= 8) return eight_bytes(t.characters + (t.length - 8)) >> 1 >> (63 - 8 * count);
    if (count >= 4) return four_bytes(at) | four_bytes(at + (count - 4)) << 8 * (count - 4);
    return count == 0 ? 0 : byte_at(at, 0) | byte_at(at, count / 2) | byte_at(at, count - 1);
}

constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using wide = unsigned __int128;
    const wide product = wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace detail

// Eight bytes a step, the same in the compiler and at run time on little-endian machines. `seed` tells apart what shares
// a table.
constexpr std::uint64_t hash(text t, std::uint64_t seed = 0) {
    constexpr std::uint64_t first_odd = 0x9e3779b97f4a7c15, second_odd = 0xd6e8feb86659fd93;
    std::uint64_t h = (seed + 1) * second_odd ^ t.length;
    const char* at = t.characters;
    std::uint32_t left = t.length;
    for (; left >= 8; left -= 8, at += 8) h = detail::folded_product(h ^ detail::eight_bytes(at), first_odd);
    return detail::folded_product(h ^ detail::last_bytes(t, left), second_odd);
}

// Whether a string argument pair is well formed; a negative capacity is not.
constexpr bool is_well_formed(const int* length) { return length == nullptr || *length >= 0; }

// Returns `from` into a buffer of *length bytes as 15.3.3 says: cut to fit with its null, the full size comes back. A null
// length turns the pair off; a null buffer or the length 0 asks for the size alone.
inline void return_text(text from, char* buffer, int* length) noexcept {
    if (length == nullptr) return;
    if (buffer != nullptr && *length > 0) {
        const std::uint32_t room = static_cast<std::uint32_t>(*length) - 1;
        const std::uint32_t copied = from.length < room ? from.length : room;
        std::memcpy(buffer, from.characters, copied);
        buffer[copied] = '\0';
    }
    *length = static_cast<int>(from.length) + 1;
}

} // namespace mpit::base
