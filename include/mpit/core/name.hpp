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

// The same as a complaint of the compiler's; returns the key of the name.
constexpr std::uint32_t checked_key(text name) {
    const name_scan seen = scan(name);
    if (name.length == 0) error::a_name_is_empty();
    if (name.length > longest_name) error::a_name_is_longer_than_255_characters();
    if (!seen.is_printable) error::a_name_has_a_space_or_a_character_that_is_not_printable();
    return seen.key;
}

// A name that was checked before, with its key.
struct checked_name {
    text name;
    std::uint32_t key = 0;
};

} // namespace core
} // namespace mpit
