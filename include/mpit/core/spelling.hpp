// SPDX-License-Identifier: BSD-3-Clause
// The distance between two names, and the name that was probably meant. Counts letters that were left out, added,
// replaced or swapped with their neighbour (Damerau-Levenshtein); upper and lower case are equal.
//
//   const text meant = nearest_item("rign", algorithms.view());   // "ring"
#pragma once

#include <mpit/core/enumeration.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr int largest_misspelling = 2;

constexpr bool begins_with(text whole, text part) {
    if (part.length > whole.length) return false;
    for (std::uint32_t i = 0; i < part.length; i++)
        if (!is_same_letter(whole.characters[i], part.characters[i])) return false;
    return true;
}

constexpr text tail(text whole, std::uint32_t letters) { return {whole.characters + letters, whole.length - letters}; }

// How many letters differ, or any number above `at_most`. Few differences are found much faster than by a whole table.
[[gnu::cold]] constexpr int letters_apart(text a, text b, int at_most = largest_misspelling) {
    const std::uint32_t shorter = a.length < b.length ? a.length : b.length, longer = a.length + b.length - shorter;
    if (longer - shorter > static_cast<std::uint32_t>(at_most)) return at_most + 1;
    std::uint32_t same = 0;
    while (same < shorter && is_same_letter(a.characters[same], b.characters[same])) same++;
    if (same == shorter) return static_cast<int>(longer - shorter);
    if (at_most == 0) return 1;
    a = tail(a, same);
    b = tail(b, same);
    int least = at_most + 1;
    const auto go_on = [&](text c, text d) {
        if (least < 2) return;
        const int apart = 1 + letters_apart(c, d, least - 2);
        if (apart < least) least = apart;
    };
    const bool are_swapped = shorter - same > 1 && is_same_letter(a.characters[0], b.characters[1]) &&
                             is_same_letter(a.characters[1], b.characters[0]);
    if (are_swapped) go_on(tail(a, 2), tail(b, 2));
    go_on(tail(a, 1), tail(b, 1));
    go_on(tail(a, 1), b);
    go_on(a, tail(b, 1));
    return least;
}

// Words as they stand between underscores.
struct word_list {
    static constexpr int most = 24;
    text words[most];
    int count = 0;

    constexpr explicit word_list(text name) noexcept {
        std::uint32_t begin = 0;
        for (std::uint32_t index = 0; index <= name.length && count < most; index++) {
            if (index < name.length && name.characters[index] != '_') continue;
            words[count++] = {name.characters + begin, index - begin};
            begin = index + 1;
        }
    }
    // From the word `first` to the one before `end`, as they stand in the name.
    constexpr text joined(int first, int end) const {
        const text& last = words[end - 1];
        return {words[first].characters,
                static_cast<std::uint32_t>(last.characters - words[first].characters) + last.length};
    }
    constexpr bool are_empty(int first, int end) const {
        for (; first < end; first++)
            if (words[first].length != 0) return false;
        return true;
    }
};

namespace MPIT_MODULE_LOCAL detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[gnu::cold]] constexpr bool are_equal_without_digits(text a, text b) {
    std::uint32_t i = 0, j = 0;
    for (;;) {
        while (i < a.length && is_digit(a.characters[i])) i++;
        while (j < b.length && is_digit(b.characters[j])) j++;
        if (i == a.length || j == b.length) return i == a.length && j == b.length;
        if (!is_same_letter(a.characters[i++], b.characters[j++])) return false;
    }
}

// At most a third of the shorter of two words may be wrong.
[[gnu::cold]] constexpr int misspelling_of_word(text a, text b) {
    const int apart = letters_apart(a, b);
    const std::uint32_t shorter = a.length < b.length ? a.length : b.length;
    return apart <= static_cast<int>(shorter / 3) ? apart : largest_misspelling + 1;
}

} // namespace detail

// How many letters of `written` are wrong if `name` was meant; any larger number than `largest_misspelling` where it
// rather is a name of its own: one with another digit, with a word more or less, or with a word that is too different.
[[gnu::cold]] constexpr int misspelling(text written, text name) {
    const int all = letters_apart(written, name);
    if (all == 0 || all > largest_misspelling) return all;
    const word_list a{written}, b{name};
    if (a.count == word_list::most || b.count == word_list::most || detail::are_equal_without_digits(written, name))
        return largest_misspelling + 1;
    int first = 0, end_a = a.count, end_b = b.count;
    const auto is_same_word = [](text v, text w) { return v.length == w.length && begins_with(v, w); };
    while (first < end_a && first < end_b && is_same_word(a.words[first], b.words[first])) first++;
    while (first < end_a && first < end_b && is_same_word(a.words[end_a - 1], b.words[end_b - 1])) end_a--, end_b--;
    if (first == end_a || first == end_b) // an underscore too many, or a word
        return a.are_empty(first, end_a) && b.are_empty(first, end_b) ? end_a + end_b - 2 * first
                                                                      : largest_misspelling + 1;
    if (end_a != end_b) return detail::misspelling_of_word(a.joined(first, end_a), b.joined(first, end_b));
    int sum = 0;
    for (int i = first; i < end_a; i++) sum += detail::misspelling_of_word(a.words[i], b.words[i]);
    return sum;
}

// The item whose name was probably meant, or the only one that begins so; an empty text if there is none.
[[gnu::cold]] constexpr text nearest_item(text written, const enumeration_view& enumeration) {
    text nearest, longer;
    int least = largest_misspelling + 1, beginning_so = 0;
    for (int i = 0; i < enumeration.count && written.length != 0; i++) {
        const text name = enumeration.items[i].name;
        const int apart = letters_apart(written, name);
        if (apart < least && (apart <= 1 || apart <= static_cast<int>(name.length / 3)) &&
            apart < static_cast<int>(name.length)) {
            least = apart;
            nearest = name;
        }
        if (begins_with(name, written)) {
            longer = name;
            beginning_so++;
        }
    }
    return least <= largest_misspelling ? nearest : beginning_so == 1 ? longer : text{};
}

} // namespace core
} // namespace mpit
