// SPDX-License-Identifier: BSD-3-Clause
// Reads an attribute of an item from a view or from an info. A view (such as variable_view) has member functions for
// the attributes, and an info (such as control_info) has data members with the same names.
//
//   attribute::verbosity(item) <= mpit::verbosity::tuner_all   // of a variable_view, a control_info, an event_info …
#pragma once

#include <mpit/core/value.hpp> // IWYU pragma: keep

namespace mpit::inline v1_0::tool {

// The type of a view or an info, whose member `number` is the index of the item. For the library's own use.
template <class Item>
concept info_or_view = requires(const Item& item) { item.number(); } || requires(const Item& item) { item.number; };

namespace MPIT_MODULE_LOCAL attribute {

template <info_or_view Item> constexpr int number(const Item& item) noexcept {
    if constexpr (requires { item.number(); }) return item.number();
    else return item.number;
}
template <info_or_view Item> constexpr const char* name(const Item& item) noexcept {
    if constexpr (requires { item.name(); }) return item.name().characters;
    else return item.name.c_str();
}
template <info_or_view Item> constexpr auto verbosity(const Item& item) noexcept {
    if constexpr (requires { item.verbosity(); }) return item.verbosity();
    else return item.verbosity;
}
template <info_or_view Item> constexpr auto binding(const Item& item) noexcept {
    if constexpr (requires { item.binding(); }) return item.binding();
    else return item.binding;
}
// Returns true if the item is a performance variable of the class. Returns false for a control variable.
template <info_or_view Item> constexpr bool is_of_class(const Item& item, auto variable_class) noexcept {
    if constexpr (requires { item.variable_class(); })
        return !item.is_control() && item.variable_class() == variable_class;
    else if constexpr (requires { item.variable_class; }) return item.variable_class == variable_class;
    else return false;
}

} // namespace attribute
} // namespace mpit::tool
