// SPDX-License-Identifier: BSD-3-Clause
// Checks the syntax of names and computes a number that differs for most of them. One pass of eight bytes a step, since
// a compiler pays for each step of each name.
//
//   name_scan seen = scan(name);   if (seen.is_printable) …
#pragma once

#include <mpit/core/compile_error.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr std::uint32_t longest_name = 255;

struct name_scan {
    std::uint32_t key = 0;
    bool is_printable = true; // neither a space nor a control character nor a byte above '~'
};

constexpr name_scan scan(text name) {
    constexpr std::uint64_t one_each = 0x0101010101010101;
    std::uint64_t mixed = name.length, wrong = 0;
    const auto take = [&](std::uint64_t word) {
        // A byte below '!' borrows, one above '~' has or gets its highest bit; what a borrow spoils is wrong anyway.
        wrong |= (word - one_each * '!') | (word + one_each) | word;
        mixed = (mixed ^ word) * 0x9e3779b97f4a7c15;
    };
    if (name.length >= 8) {
        const char* const last = name.characters + (name.length - 8);
        for (const char* next = name.characters; next < last; next += 8) take(eight_bytes(next));
        take(eight_bytes(last));
    } else {
        std::uint64_t word = one_each * '!';
        for (std::uint32_t i = 0; i < name.length; i++)
            word = word << 8 | static_cast<unsigned char>(name.characters[i]);
        take(word);
    }
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    return {static_cast<std::uint32_t>(mixed >> 32), (wrong & one_each << 7) == 0};
}

// Whether tools can type it.
constexpr bool is_possible_name(text name, const name_scan& seen) {
    return name.length != 0 && name.length <= longest_name && seen.is_printable;
}
constexpr bool is_possible_name(text name) { return is_possible_name(name, scan(name)); }

// A name that was checked before, with its key.
struct checked_name {
    text name;
    std::uint32_t key = 0;
    constexpr checked_name() noexcept {}
    constexpr checked_name(text checked, std::uint32_t known_key) noexcept : name{checked}, key{known_key} {}
    constexpr checked_name(text checked) noexcept : checked_name{checked, scan(checked).key} {}
    constexpr checked_name(const char* checked) noexcept : checked_name{text{checked}} {}
};

// How an author writes a text: a literal or an array of char, or a text. clang 14 evaluates attributes before
// constraints, so that as_text() takes anything.
template <class Text>
concept text_like = __is_same(Text, text) || __is_same(Text, const char*);
constexpr text as_text(text given) { return given; }
constexpr text as_text(const char* given) { return given == nullptr ? text{} : text{given}; }
template <class Other> constexpr text as_text(const Other&) { return {}; }

// A name as an author writes it.
struct declared_name : error::refusable, checked_name {
    consteval declared_name(const char* given) noexcept : declared_name{text{given}} {}
    consteval declared_name(text given) noexcept : declared_name{given, scan(given)} {}
    constexpr declared_name(const checked_name& known) noexcept : checked_name{known} {}

private:
    // clang-format off
    consteval declared_name(text given, const name_scan& seen) noexcept
        MPIT_REFUSED_NAME(MPIT_NAME_IF(given.length == 0, a_name_is_empty)
                          MPIT_NAME_IF(given.length > longest_name, a_name_is_longer_than_255_characters)
                          MPIT_NAME_IF(!seen.is_printable, a_name_has_a_space_or_a_character_that_is_not_printable))
        checked_name{given, seen.key} {}
    // clang-format on
};

// A name that a variable had before, or null.
struct former_name : error::refusable {
    const char* characters = nullptr;
    constexpr former_name(decltype(nullptr) = nullptr) noexcept {}
    // clang-format off
    consteval former_name(const char* given) noexcept
        MPIT_REFUSED(MPIT_IF(!is_possible_name(given),
                             a_name_is_empty_or_too_long_or_has_a_space_or_a_character_that_is_not_printable))
        characters{given} {}
    // clang-format on
};

} // namespace core

namespace core { // authors have members of types with such arguments

// The name of a category.
template <std::size_t N> struct fixed_name : fixed_text<N> {
    // clang-format off
    consteval fixed_name(const char (&given)[N]) noexcept
#if defined(__clang__)
        MPIT_REFUSED(MPIT_IF(!is_possible_name(text{given, N - 1}),
                             a_name_is_empty_or_too_long_or_has_a_space_or_a_character_that_is_not_printable))
#else
        :
#endif
        fixed_text<N>{given} {}
    // clang-format on
};

} // namespace core
} // namespace mpit
