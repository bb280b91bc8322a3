// SPDX-License-Identifier: BSD-3-Clause
// Checks the syntax of a name and computes a 32-bit hash of the name. Each step of scan() reads eight bytes, because
// constant evaluation takes longer with more steps.
//
//   name_scan scanned = scan(name);   if (scanned.is_printable) ...
#pragma once

#include <mpit/core/compile_error.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr std::uint32_t longest_name = 255;

struct name_scan {
    std::uint32_t key = 0;
    bool is_printable = true; // false if a character is a space, a control character or a byte above '~'
};

constexpr name_scan scan(text name) {
    constexpr std::uint64_t ones = 0x0101010101010101; // the value 1 in each of the eight bytes
    std::uint64_t key = name.length, invalid = 0;
    const auto add = [&](std::uint64_t word) {
        // Sets the highest bit of a byte of `invalid` if the corresponding character is below '!' or above '~'. A
        // borrow or a carry may falsify the bit of the next character, but only after an invalid character.
        invalid |= (word - ones * '!') | (word + ones) | word;
        key = (key ^ word) * 0x9e3779b97f4a7c15;
    };
    if (name.length >= 8) {
        const char* const last = name.characters + (name.length - 8);
        for (const char* next = name.characters; next < last; next += 8) add(eight_bytes(next));
        add(eight_bytes(last));
    } else {
        std::uint64_t word = ones * '!';
        for (std::uint32_t i = 0; i < name.length; i++)
            word = word << 8 | static_cast<unsigned char>(name.characters[i]);
        add(word);
    }
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93;
    return {static_cast<std::uint32_t>(key >> 32), (invalid & ones << 7) == 0};
}

// Returns true if a name has 1 to 255 characters, all of which are printable and not spaces.
constexpr bool is_possible_name(text name, const name_scan& scanned) {
    return name.length != 0 && name.length <= longest_name && scanned.is_printable;
}
constexpr bool is_possible_name(text name) { return is_possible_name(name, scan(name)); }

// A name whose syntax needs no further check, with the 32-bit hash of the name.
struct checked_name {
    text name;
    std::uint32_t key = 0;
    constexpr checked_name() noexcept {}
    constexpr checked_name(text source, std::uint32_t source_key) noexcept : name{source}, key{source_key} {}
    constexpr checked_name(text source) noexcept : checked_name{source, scan(source).key} {}
    constexpr checked_name(const char* source) noexcept : checked_name{text{source}} {}
};

// The author of a declaration may write a text as a core::text or a const char*. as_text() accepts every type, because
// diagnose_if attributes call it, and clang 14 evaluates the attributes before the constraints of a function.
template <class Text>
concept text_like = __is_same(Text, text) || __is_same(Text, const char*);
constexpr text as_text(text source) { return source; }
constexpr text as_text(const char* source) { return source == nullptr ? text{} : text{source}; }
template <class Other> constexpr text as_text(const Other&) { return {}; }

// The name of a variable or category in a declaration. An invalid name is a compile error.
struct declared_name : error::refusable, checked_name {
    consteval declared_name(const char* source) noexcept : declared_name{text{source}} {}
    consteval declared_name(text source) noexcept : declared_name{source, scan(source)} {}
    constexpr declared_name(const checked_name& source) noexcept : checked_name{source} {}

private:
    // clang-format off
    consteval declared_name(text source, const name_scan& scanned) noexcept
        MPIT_REFUSED_NAME(MPIT_NAME_IF(source.length == 0, a_name_is_empty)
                          MPIT_NAME_IF(source.length > longest_name, a_name_is_longer_than_255_characters)
                          MPIT_NAME_IF(!scanned.is_printable, a_name_has_a_space_or_a_character_that_is_not_printable))
        checked_name{source, scanned.key} {}
    // clang-format on
};

// The name that a control variable had in an earlier version of the library, or null.
struct former_name : error::refusable {
    const char* characters = nullptr;
    constexpr former_name(decltype(nullptr) = nullptr) noexcept {}
    // clang-format off
    consteval former_name(const char* source) noexcept
        MPIT_REFUSED(MPIT_IF(!is_possible_name(source),
                             a_name_is_empty_or_too_long_or_has_a_space_or_a_character_that_is_not_printable))
        characters{source} {}
    // clang-format on
};

} // namespace core

namespace core { // default visibility, because hidden template arguments would hide the types of authors' members

// The name of a category as a template argument. An invalid category name is a compile error.
template <std::size_t N> struct fixed_name : fixed_text<N> {
    // clang-format off
    consteval fixed_name(const char (&literal)[N]) noexcept
#if defined(__clang__)
        MPIT_REFUSED(MPIT_IF(!is_possible_name(text{literal, N - 1}),
                             a_name_is_empty_or_too_long_or_has_a_space_or_a_character_that_is_not_printable))
#else
        :
#endif
        fixed_text<N>{literal} {}
    // clang-format on
};

} // namespace core
} // namespace mpit
