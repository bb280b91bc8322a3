// SPDX-License-Identifier: BSD-3-Clause
// Computes the Damerau-Levenshtein edit distance of two names and finds the name that a user probably meant. The
// distance counts omitted, added, replaced and swapped letters, and does not distinguish small and capital letters.
//
//   const text name = nearest_item("rign", algorithms.view());   // "ring"
#pragma once

#include <mpit/core/enumeration.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr int largest_misspelling = 2;

constexpr bool begins_with(text source, text prefix) {
    if (prefix.length > source.length) return false;
    for (std::uint32_t i = 0; i < prefix.length; i++)
        if (!equal_letters(source.characters[i], prefix.characters[i])) return false;
    return true;
}

constexpr text tail(text source, std::uint32_t begin) { return {source.characters + begin, source.length - begin}; }

// Returns the edit distance of two names, or any number above `at_most` if the distance is larger than `at_most`. The
// recursion is much faster than dynamic programming if the names have few differences.
[[gnu::cold]] constexpr int edit_distance(text a, text b, int at_most = largest_misspelling) {
    const std::uint32_t shorter = a.length < b.length ? a.length : b.length, longer = a.length + b.length - shorter;
    if (longer - shorter > static_cast<std::uint32_t>(at_most)) return at_most + 1;
    std::uint32_t prefix = 0; // the length of the common prefix
    while (prefix < shorter && equal_letters(a.characters[prefix], b.characters[prefix])) prefix++;
    if (prefix == shorter) return static_cast<int>(longer - shorter);
    if (at_most == 0) return 1;
    a = tail(a, prefix);
    b = tail(b, prefix);
    int least = at_most + 1;
    const auto compare_tails = [&](text c, text d) {
        if (least < 2) return;
        const int distance = 1 + edit_distance(c, d, least - 2);
        if (distance < least) least = distance;
    };
    const bool are_swapped = shorter - prefix > 1 && equal_letters(a.characters[0], b.characters[1]) &&
                             equal_letters(a.characters[1], b.characters[0]);
    if (are_swapped) compare_tails(tail(a, 2), tail(b, 2));
    compare_tails(tail(a, 1), tail(b, 1));
    compare_tails(tail(a, 1), b);
    compare_tails(a, tail(b, 1));
    return least;
}

// The words between the underscores of a name. A list holds at most `capacity` words and ignores further words.
struct word_list {
    static constexpr int capacity = 24;
    text words[capacity];
    int count = 0;

    constexpr explicit word_list(text name) noexcept {
        std::uint32_t begin = 0;
        for (std::uint32_t index = 0; index <= name.length && count < capacity; index++) {
            if (index < name.length && name.characters[index] != '_') continue;
            words[count++] = {name.characters + begin, index - begin};
            begin = index + 1;
        }
    }
    // Returns the part of the name that begins with word number `first` and ends before word number `end`.
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
        if (!equal_letters(a.characters[i++], b.characters[j++])) return false;
    }
}

// Returns the edit distance of two words, or largest_misspelling + 1 if more than a third of the shorter word is wrong.
[[gnu::cold]] constexpr int misspelling_of_word(text a, text b) {
    const int distance = edit_distance(a, b);
    const std::uint32_t shorter = a.length < b.length ? a.length : b.length;
    return distance <= static_cast<int>(shorter / 3) ? distance : largest_misspelling + 1;
}

} // namespace detail

// Returns the number of wrong letters in `input` if a user probably meant `name`. Returns a number above
// `largest_misspelling` if `input` has a different digit, an additional word or a very different word.
[[gnu::cold]] constexpr int misspelling(text input, text name) {
    const int distance = edit_distance(input, name);
    if (distance == 0 || distance > largest_misspelling) return distance;
    const word_list a{input}, b{name};
    constexpr int capacity = word_list::capacity;
    if (a.count == capacity || b.count == capacity || detail::are_equal_without_digits(input, name))
        return largest_misspelling + 1;
    int first = 0, end_a = a.count, end_b = b.count;
    const auto is_same_word = [](text v, text w) { return v.length == w.length && begins_with(v, w); };
    while (first < end_a && first < end_b && is_same_word(a.words[first], b.words[first])) first++;
    while (first < end_a && first < end_b && is_same_word(a.words[end_a - 1], b.words[end_b - 1])) end_a--, end_b--;
    if (first == end_a || first == end_b) // one name has an additional underscore or word
        return a.are_empty(first, end_a) && b.are_empty(first, end_b) ? end_a + end_b - 2 * first
                                                                      : largest_misspelling + 1;
    if (end_a != end_b) return detail::misspelling_of_word(a.joined(first, end_a), b.joined(first, end_b));
    int sum = 0;
    for (int i = first; i < end_a; i++) sum += detail::misspelling_of_word(a.words[i], b.words[i]);
    return sum;
}

// Returns the item name that a user probably meant, or the only item name that begins with the input, or no text.
[[gnu::cold]] constexpr text nearest_item(text input, const enumeration_view& enumeration) {
    text nearest, completed;
    int least = largest_misspelling + 1, completions = 0;
    for (int i = 0; i < enumeration.count && input.length != 0; i++) {
        const text name = enumeration.items[i].name;
        const int distance = edit_distance(input, name);
        if (distance < least && (distance <= 1 || distance <= static_cast<int>(name.length / 3)) &&
            distance < static_cast<int>(name.length)) {
            least = distance;
            nearest = name;
        }
        if (begins_with(name, input)) {
            completed = name;
            completions++;
        }
    }
    return least <= largest_misspelling ? nearest : completions == 1 ? completed : text{};
}

} // namespace core
} // namespace mpit
