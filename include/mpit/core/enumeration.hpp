// SPDX-License-Identifier: BSD-3-Clause
// Describes an enumeration type to tools by its name and the names of its items (MPI-5.0, 15.3.5).
//
//   constexpr auto enumeration_of(protocol) {   // beside the enumeration, in its namespace
//       return mpit::enumerators<protocol>("protocol", {{"eager", protocol::eager}, {"rdma", protocol::rdma}});
//   }
#pragma once

#include <mpit/config.hpp>
#include <mpit/core/compile_error.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v1_0 {

namespace MPIT_MODULE_LOCAL core {

struct enumeration_item {
    text name;
    int value = 0;
    const char* also = nullptr; // further spellings, separated by commas, which the registry does not store
    constexpr enumeration_item() noexcept {}
};

// Removes and returns the first spelling of a comma-separated list. Returns an empty text for an empty list or null.
constexpr text next_spelling(const char*& remaining) {
    if (remaining == nullptr) return {};
    while (*remaining == ' ' || *remaining == ',') remaining++;
    const char* const begin = remaining;
    while (*remaining != '\0' && *remaining != ',') remaining++;
    return without_trailing_blanks({begin, static_cast<std::uint32_t>(remaining - begin)});
}
// Returns true if a text equals the name or a further spelling of an item, except for upper and lower case.
constexpr bool is_spelling_of(text input, text name, const char* also) {
    if (equal_ignoring_case(input, name)) return true;
    for (text spelling = next_spelling(also); spelling.length != 0; spelling = next_spelling(also))
        if (equal_ignoring_case(input, spelling)) return true;
    return false;
}

// A reference from the descriptor of a variable to an enumeration. `count` is 0 if the variable has no enumeration.
struct enumeration_view {
    text name;
    const enumeration_item* items = nullptr;
    int count = 0;

    // Returns the index of the item that has the value, or -1. The function does not return an address, because g++ 12
    // with UndefinedBehaviorSanitizer cannot compare the address of an item in a constant expression.
    constexpr int position(int value) const {
        for (int i = 0; i < count; i++)
            if (items[i].value == value) return i;
        return -1;
    }
    constexpr bool has(int value) const { return position(value) >= 0; }
};

} // namespace core

// One item of an enumeration, with the `value` and with the `name` that tools see, at most a few words. `also` is a
// comma-separated list of further spellings, which the library accepts in settings, in small or capital letters.
template <class E> struct enumerator {
    const char* name;
    E value;
    const char* also = nullptr;
};

// The `name` and the `items` of an enumeration, in the order in which a tool sees the items. An enumeration is
// constant, so that any thread and any signal handler may read it. The type has hidden visibility, because g++ would
// otherwise merge constants of this type in two libraries into one object (STB_GNU_UNIQUE).
template <class E, std::size_t N> struct MPIT_MODULE_LOCAL enumeration {
    core::text name;
    core::enumeration_item items[N]{};
    // Returns an enumeration_view, whose type does not depend on E.
    MPIT_MODULE_LOCAL constexpr core::enumeration_view view() const { return {name, items, static_cast<int>(N)}; }
};

namespace MPIT_MODULE_LOCAL core {

template <class E> struct underlying {
    using type = __underlying_type(E);
};
template <> struct underlying<bool> {
    using type = int;
};

// True if a further spelling of item `a` is also the name or a further spelling of item `b`.
constexpr bool share_spelling(const enumeration_item& a, const enumeration_item& b) {
    const char* also = a.also;
    for (text spelling = next_spelling(also); spelling.length != 0; spelling = next_spelling(also))
        if (is_spelling_of(spelling, b.name, b.also)) return true;
    return false;
}

// An enumeration and the compile error in its declaration, if any.
template <class E, std::size_t N> struct checked_enumeration : error::refusable, enumeration<E, N> {};
// Returns the enumeration without the base class `refusable`, which holds the compile error.
template <class E, std::size_t N> consteval enumeration<E, N> without_refusal(const enumeration<E, N>& source) {
    return source;
}

} // namespace core

// Returns an enumeration with a name and items, which the compiler checks.
template <class E, std::size_t N> consteval auto enumerators(const char* name, const enumerator<E> (&items)[N]) {
    core::checked_enumeration<E, N> checked{};
    checked.name = name;
    if (checked.name.length == 0) MPIT_REFUSE(checked, an_enumeration_needs_a_name);
    for (std::size_t i = 0; i < N; i++) {
        checked.items[i].name = items[i].name;
        checked.items[i].value = static_cast<int>(items[i].value);
        checked.items[i].also = items[i].also;
        if (checked.items[i].name.length == 0) MPIT_REFUSE(checked, an_item_of_an_enumeration_needs_a_name);
        const auto wide_value = static_cast<typename core::underlying<E>::type>(items[i].value);
        if (static_cast<E>(checked.items[i].value) != items[i].value ||
            (wide_value > 0) != (checked.items[i].value > 0))
            MPIT_REFUSE(checked, an_item_of_an_enumeration_does_not_fit_an_int);
        for (std::size_t j = 0; j < i; j++) {
            if (core::constexpr_equal(checked.items[i].name, checked.items[j].name))
                MPIT_REFUSE(checked, two_items_of_an_enumeration_have_the_same_name);
            if (core::share_spelling(checked.items[i], checked.items[j]) ||
                core::share_spelling(checked.items[j], checked.items[i]))
                MPIT_REFUSE(checked, two_items_of_an_enumeration_have_the_same_other_spelling);
            if (checked.items[i].value == checked.items[j].value)
                MPIT_REFUSE(checked, two_items_of_an_enumeration_have_the_same_value);
        }
    }
    return checked;
}

namespace MPIT_MODULE_LOCAL core {

struct not_described {};

// A call of enumeration_of() in namespace `lookup` finds the author's function by argument-dependent lookup. The
// variable template enumeration_of below would prevent this lookup, but the function that is declared here hides it.
namespace lookup {

void enumeration_of();
template <class E, std::size_t N> constexpr bool is_of(const enumeration<E, N>&) { return true; }
template <class E>
concept described = __is_enum(E) && requires { is_of<E>(enumeration_of(E{})); };
template <class E> consteval auto description() {
    if constexpr (described<E>) return without_refusal(enumeration_of(E{}));
    else return not_described{};
}

} // namespace lookup
} // namespace core

// The name and the items of the enumeration type E. The author of E defines a function enumeration_of() in the
// namespace of E, or specializes this template. C++ allows the specialization only in a namespace that encloses mpit.
template <class E> inline constexpr auto enumeration_of = core::lookup::description<E>();

// Tools see a bool as an int with an enumeration of the items false and true.
template <>
inline constexpr auto enumeration_of<bool> =
    core::without_refusal(enumerators<bool>("bool", {{"false", false, "no,off,n"}, {"true", true, "yes,on,y"}}));

} // namespace mpit
