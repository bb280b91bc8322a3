// SPDX-License-Identifier: BSD-3-Clause
// The settings of a control variable, and the checks that every new value passes (MPI-5.0, 15.3.6).
//
//   {.initial = {65536, 0, 1 << 20}, .environment = "EAGER, MYMPI_*", .scope = mpit::scope::local, .on_write = &may_change}
#pragma once

#include <mpit/core/parse.hpp> // IWYU pragma: export
#include <mpit/core/range.hpp>
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/descriptor/environment_names.hpp>
#include <mpit/descriptor/reply.hpp> // IWYU pragma: export
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;
using descriptor::text;

// What every kind of control variable can be told. `Value` is what the functions are shown.
template <class Value> struct control_functions {
    bool (*valid)(const Value&) = nullptr;
    reply (*on_write)(const Value&) = nullptr;

    // MPI_T_ERR_INVALID if the validator refuses, and what the on-write function answers.
    result ask(const Value& value, bool from_tool) const noexcept {
        if (valid != nullptr && !valid(value)) return result::invalid;
        if (from_tool && on_write != nullptr) return result_of(on_write(value));
        return result::success;
    }
};

// Settings that do not exist under these names; the error names the right one.
struct in_the_initial_value {
    constexpr in_the_initial_value() noexcept {}
    template <class Given> constexpr in_the_initial_value(Given) noexcept {
        static_assert(sizeof(Given) == 0,
                      "the range stands behind the initial value: .initial = {value, minimum, maximum}");
    }
};
struct of_numbers {
    constexpr of_numbers() noexcept {}
    template <class Given> constexpr of_numbers(Given) noexcept {
        static_assert(sizeof(Given) == 0, "only a number has a unit, and only a number has a range");
    }
};
template <class T> struct unit_setting { using type = mpit::unit; };
template <core::enumerated E> struct unit_setting<E> { using type = of_numbers; };

// A name under which a value for the variable may still be given.
constexpr void apply_former_name(descriptor::control& variable, descriptor::category& inside, text former) {
    if (core::equal_in_the_compiler(former, variable.name)) error::the_former_name_of_a_control_variable_is_its_name();
    variable.former_name = former.characters;
    variable.has_one_name = false;
    inside.has_former_names = true;
}

constexpr void apply_environment(descriptor::control& variable, const descriptor::category& inside,
                                 const environment_names& chosen) {
    variable.rules = inside.rules;
    if (chosen.are_none) {
        variable.environment = "";
    } else if (chosen.names.length != 0) {
        variable.environment = chosen.names.characters;
    } else if (inside.has_rules && inside.rules->has_environment) {
        variable.environment = inside.rules->environment;
    } else {
        variable.environment = variable.name.characters, variable.has_one_name = true;
    }
}

template <class Settings>
constexpr void apply_control_settings(descriptor::control& variable, descriptor::category& inside,
                                      const Settings& chosen) {
    inside.root().take_at_load = &registry::take_at_load;
    variable.scope = chosen.scope;
    variable.verbosity = chosen.verbosity;
    if constexpr (requires { variable.unit = chosen.unit; }) variable.unit = chosen.unit;
    apply_environment(variable, inside, chosen.environment);
    if (chosen.renamed_from.characters != nullptr) apply_former_name(variable, inside, chosen.renamed_from.characters);
    if (chosen.deprecated != nullptr) variable.deprecation = chosen.deprecated, variable.has_one_name = false;
    if (chosen.scope >= mpit::scope::group && variable.description.length == 0)
        error::a_scope_of_group_or_all_needs_a_description_of_who_must_write_what();
}

template <class T> struct initial_setting {
    using type = core::initial_range<T>;
};
template <core::enumerated E> struct initial_setting<E> { using type = core::initial_item<E>; };

} // namespace internal

// Settings of a control variable of one number or enumeration. `valid` answers whether a value can be had at all, from
// wherever it comes: if it returns false, a tool gets MPI_T_ERR_INVALID. `on_write` hears a value before it is stored, in the
// thread of the writer, and returns whether it is accepted. `locate` finds the cell of an object, or null.
template <class T, class Cell, class Object> struct control_settings {
    // A value without a name, which is refused.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    typename internal::initial_setting<T>::type initial{};   // a value, or {value, minimum, maximum}
    internal::in_the_initial_value minimum{}, maximum{};     // not here: they stand behind the initial value
    typename internal::unit_setting<T>::type unit{};         // bytes: values from outside may be spelled 64k or 2MiB
    descriptor::declared_environment<false> environment{};   // the name of the variable if nothing is said
    core::former_name renamed_from{};                        // a name that it had before, which is still accepted
    const char* deprecated = nullptr;                        // why, and what to use: reported once if it gets a setting
    mpit::scope scope = mpit::scope::local;                  // who can change it, and where else it must then change
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for whom it is
    bool (*valid)(const T&) = nullptr;
    reply (*on_write)(const T&) = nullptr;
    internal::locate_function<Cell, Object> locate{};
};

} // namespace mpit

#pragma GCC diagnostic pop
