// SPDX-License-Identifier: BSD-3-Clause
// Enumerations of values, with the names that a tool shows (MPI-5.0, 15.3.5).
//
//   constexpr auto enumeration_of(protocol) {   // beside the enumeration, in its namespace
//       return mpit::enumerators<protocol>("protocol", {{"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});
//   }
#pragma once

#include <mpit/config.hpp>
#include <mpit/core/compile_error.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL core {

struct enumeration_item {
    text name;
    int value = 0;
    const char* also = nullptr; // other spellings, separated by commas; the registry keeps none
    constexpr enumeration_item() noexcept {}
};

// The other spellings of an item one after the other; an empty text after the last one.
constexpr text take_spelling(const char*& rest) {
    if (rest == nullptr) return {};
    while (*rest == ' ' || *rest == ',') rest++;
    const char* const begin = rest;
    while (*rest != '\0' && *rest != ',') rest++;
    return without_trailing_blanks({begin, static_cast<std::uint32_t>(rest - begin)});
}
// Whether a text is the name of an item or another spelling of it, in small or capital letters.
constexpr bool is_spelling_of(text written, text name, const char* also) {
    if (equal_but_for_case(written, name)) return true;
    for (text each = take_spelling(also); each.length != 0; each = take_spelling(also))
        if (equal_but_for_case(written, each)) return true;
    return false;
}

// An enumeration as descriptors refer to it; `count` is 0 if there is none.
struct enumeration_view {
    text name;
    const enumeration_item* items = nullptr;
    int count = 0;

    // Where the value stands among the items, or -1. A position, since under UndefinedBehaviorSanitizer g++ 12 does not
    // compare the address of an item in the compiler.
    constexpr int position(int value) const {
        for (int i = 0; i < count; i++)
            if (items[i].value == value) return i;
        return -1;
    }
    constexpr bool has(int value) const { return position(value) >= 0; }
};

} // namespace core

// One member of an enumeration: the `name` shown, at most a few words, the `value`, and in `also` other spellings that
// are accepted from outside, parted by commas. Letters are accepted small or capital.
template <class E> struct enumerator {
    const char* name;
    E value;
    const char* also = nullptr;
};

// An enumeration: its `name`, and its `items` in the order in which a tool sees them. It does not change: any thread
// and any signal handler may read it. Hidden, and so are the constants of this type: g++ would make those of two
// libraries one object.
template <class E, std::size_t N> struct MPIT_MODULE_LOCAL enumeration {
    core::text name;
    core::enumeration_item items[N]{};
    // The same without its type.
    MPIT_MODULE_LOCAL constexpr core::enumeration_view view() const { return {name, items, static_cast<int>(N)}; }
};

namespace MPIT_MODULE_LOCAL core {

template <class E> struct underlying {
    using type = __underlying_type(E);
};
template <> struct underlying<bool> {
    using type = int;
};

// Whether a spelling of one item is accepted for another one as well.
constexpr bool is_spelled_alike(const enumeration_item& a, const enumeration_item& b) {
    const char* also = a.also;
    for (text each = take_spelling(also); each.length != 0; each = take_spelling(also))
        if (is_spelling_of(each, b.name, b.also)) return true;
    return false;
}

} // namespace core

namespace MPIT_MODULE_LOCAL core {

// An enumeration with what is wrong with it.
template <class E, std::size_t N> struct checked_enumeration : error::refusable, enumeration<E, N> {};
template <class E, std::size_t N> consteval enumeration<E, N> plain(const enumeration<E, N>& checked) {
    return checked;
}

} // namespace core

// Makes an enumeration; names and values are checked in the compiler.
template <class E, std::size_t N> consteval auto enumerators(const char* name, const enumerator<E> (&items)[N]) {
    core::checked_enumeration<E, N> made{};
    made.name = name;
    if (made.name.length == 0) MPIT_REFUSE(made, an_enumeration_needs_a_name);
    for (std::size_t i = 0; i < N; i++) {
        made.items[i].name = items[i].name;
        made.items[i].value = static_cast<int>(items[i].value);
        made.items[i].also = items[i].also;
        if (made.items[i].name.length == 0) MPIT_REFUSE(made, an_item_of_an_enumeration_needs_a_name);
        const auto wide = static_cast<typename core::underlying<E>::type>(items[i].value);
        if (static_cast<E>(made.items[i].value) != items[i].value || (wide > 0) != (made.items[i].value > 0))
            MPIT_REFUSE(made, an_item_of_an_enumeration_does_not_fit_an_int);
        for (std::size_t j = 0; j < i; j++) {
            if (core::equal_in_the_compiler(made.items[i].name, made.items[j].name))
                MPIT_REFUSE(made, two_items_of_an_enumeration_have_the_same_name);
            if (core::is_spelled_alike(made.items[i], made.items[j]) ||
                core::is_spelled_alike(made.items[j], made.items[i]))
                MPIT_REFUSE(made, two_items_of_an_enumeration_have_the_same_other_spelling);
            if (made.items[i].value == made.items[j].value)
                MPIT_REFUSE(made, two_items_of_an_enumeration_have_the_same_value);
        }
    }
    return made;
}

namespace MPIT_MODULE_LOCAL core {

struct not_described {};

// The function beside an enumeration is found by argument-dependent lookup. The declaration here hides the template
// below, so that the lookup finds no other one.
namespace lookup {

void enumeration_of();
template <class E, std::size_t N> constexpr bool is_of(const enumeration<E, N>&) { return true; }
template <class E>
concept described = __is_enum(E) && requires { is_of<E>(enumeration_of(E{})); };
template <class E> consteval auto description() {
    if constexpr (described<E>) return plain(enumeration_of(E{}));
    else return not_described{};
}

} // namespace lookup
} // namespace core

// The description of an enumeration type that a variable holds: the value of the function at the top of this file, or a
// specialisation of this template, which the language allows only in a namespace around mpit.
template <class E> inline constexpr auto enumeration_of = core::lookup::description<E>();

// Tools see a bool as an int with two items.
template <>
inline constexpr auto enumeration_of<bool> =
    core::plain(enumerators<bool>("bool", {{"false", false, "no,off,n"}, {"true", true, "yes,on,y"}}));

} // namespace mpit
