// Enumerations of values, with the names that a tool shows (MPI-5.0, 15.3.5).
//
//   template <> inline constexpr auto mpit::enumeration_of<protocol> =
//       mpit::enumerators<protocol>("protocol", {{"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});
#pragma once

#include <mpit/base/complaint.hpp>
#include <mpit/base/text.hpp>

namespace mpit::inline v0_1 {

namespace base {

struct enumeration_item {
    text name;
    int value = 0;
    constexpr enumeration_item() noexcept {}
};

// An enumeration as descriptors refer to it; `count` is 0 where there is none.
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

} // namespace base

// One member of an enumeration: the name shown, at most a few words, and the value.
template <class E> struct enumerator {
    const char* name;
    E value;
};

// The items of an enumeration in the order in which a tool sees them.
template <class E, std::size_t N> struct enumeration {
    base::text name;
    base::enumeration_item items[N]{};
    constexpr base::enumeration_view view() const { return {name, items, static_cast<int>(N)}; }
};

// Makes an enumeration; names and values are checked in the compiler.
template <class E, std::size_t N>
consteval enumeration<E, N> enumerators(const char* name, const enumerator<E> (&items)[N]) {
    enumeration<E, N> made{};
    made.name = name;
    if (made.name.length == 0) error::an_enumeration_needs_a_name();
    for (std::size_t i = 0; i < N; i++) {
        made.items[i].name = items[i].name;
        made.items[i].value = static_cast<int>(items[i].value);
        if (made.items[i].name.length == 0) error::an_item_of_an_enumeration_needs_a_name();
        const auto wide = static_cast<__underlying_type(E)>(items[i].value);
        if (static_cast<E>(made.items[i].value) != items[i].value || (wide > 0) != (made.items[i].value > 0))
            error::an_item_of_an_enumeration_does_not_fit_an_int();
        for (std::size_t j = 0; j < i; j++) {
            if (base::equal_in_the_compiler(made.items[i].name, made.items[j].name))
                error::two_items_of_an_enumeration_have_the_same_name();
            if (made.items[i].value == made.items[j].value) error::two_items_of_an_enumeration_have_the_same_value();
        }
    }
    return made;
}

namespace base {
struct not_described {};
} // namespace base

// Specialise it for each enumeration type that a variable holds; see the top of this file.
template <class E> inline constexpr base::not_described enumeration_of{};

} // namespace mpit
