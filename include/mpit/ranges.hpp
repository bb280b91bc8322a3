// SPDX-License-Identifier: BSD-3-Clause
// Views of range-v3 that list all variables and categories of the process, and filters for the views. A view reads the
// registry during an iteration, allocates nothing, and never becomes invalid. Any thread may create and iterate a view
// at any time, without a lock. Signal handlers must not use views.
//
//   for (mpit::tool::variable_view v : mpit::views::controls() | mpit::views::named("A_*")) puts(v.name().characters);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/session/variable_view.hpp>
#include <mpit/tool/attribute.hpp>

#include <fnmatch.h>
#include <range/v3/view/concat.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

namespace mpit::inline v1_0::tool {
template <class Info, class Interface> class listing;
}
// A listing of tool::library is a view of range-v3, because it contains one number and is copied in constant time.
template <class Info, class Interface>
inline constexpr bool ::ranges::enable_view<mpit::tool::listing<Info, Interface>> = true;

namespace mpit::inline v1_0::views {

namespace MPIT_MODULE_LOCAL detail {

// Returns a view of all items of one kind that exist when the view is created, in the order of the indices.
template <class Record, class View> auto all_of(descriptor::kind item_kind) noexcept {
    registry::process_registry* const registry = registry::published_registry();
    return ::ranges::views::iota(0, registry != nullptr ? registry->count(item_kind) : 0) |
           ::ranges::views::transform([registry, item_kind](int index) {
        return View{static_cast<const Record&>(*registry->at(item_kind, index))};
    });
}

} // namespace detail

// Returns a view of all control variables, in the order of the indices.
MPIT_MODULE_LOCAL inline auto controls() noexcept {
    return detail::all_of<registry::variable_record, tool::variable_view>(descriptor::kind::control);
}
// Returns a view of all performance variables, in the order of the indices.
MPIT_MODULE_LOCAL inline auto performances() noexcept {
    return detail::all_of<registry::variable_record, tool::variable_view>(descriptor::kind::performance);
}
// Returns a view of all variables, with the control variables first.
MPIT_MODULE_LOCAL inline auto variables() noexcept { return ::ranges::views::concat(controls(), performances()); }
// Returns a view of all categories, in the order of the indices.
MPIT_MODULE_LOCAL inline auto categories() noexcept {
    return detail::all_of<registry::category_record, tool::category_view>(descriptor::kind::category);
}

// The following functions return filters for views of variables. The filters verbosity_up_to(), of_class() and
// bound_to() also apply to the listings that tool::library returns for the registry or for an MPI.

// Selects variables whose verbosity is at most `highest`. The verbosity grows from user_basic to developer_all.
inline auto verbosity_up_to(verbosity highest) noexcept {
    return ::ranges::views::filter([highest](const auto& item) { return tool::attribute::verbosity(item) <= highest; });
}
// Selects performance variables of a class.
inline auto of_class(performance_class variable_class) noexcept {
    return ::ranges::views::filter(
        [variable_class](const auto& item) { return tool::attribute::is_of_class(item, variable_class); });
}
// Selects variables that are bound to MPI objects of a kind. For binding::none, selects unbound variables.
inline auto bound_to(binding bind) noexcept {
    return ::ranges::views::filter([bind](const auto& item) { return tool::attribute::binding(item) == bind; });
}
// Selects control variables whose value was set from outside of the library that declares the variable.
inline auto set_from_outside() noexcept {
    return ::ranges::views::filter([](const tool::variable_view& v) { return v.origin() != origin::library; });
}
// Selects variables that are direct members of a category.
inline auto inside(tool::category_view category) noexcept {
    return ::ranges::views::filter([category](const tool::variable_view& v) { return category.holds(v); });
}
// Selects variables that are members of a category or of one of its subcategories at any level.
inline auto below(tool::category_view category) noexcept {
    return ::ranges::views::filter([category](const tool::variable_view& v) { return category.holds_below(v); });
}

// The filter named() applies to views of variables and categories, and to listings of tool::library.

// Selects items whose names match a shell pattern with `*`, `?` and `[a-z]`. The pattern must outlive the view.
inline auto named(const char* pattern) noexcept {
    return ::ranges::views::filter(
        [pattern](const auto& item) { return fnmatch(pattern, tool::attribute::name(item), 0) == 0; });
}

// Returns a view of the categories that contain a variable as a direct member. The function tool::categories_of()
// accepts the name of a variable, and needs no range-v3.
MPIT_MODULE_LOCAL inline auto categories_of(tool::variable_view v) noexcept {
    return categories() | ::ranges::views::filter([v](const tool::category_view& item) { return item.holds(v); });
}

} // namespace mpit::views

#include <mpit/end.hpp>
