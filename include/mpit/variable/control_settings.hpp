// SPDX-License-Identifier: BSD-3-Clause
// The settings of a control variable, and what the classes of declared ones share (MPI-5.0, 15.3.6).
//
//   {.initial = {65536, 0, 1 << 20}, .environment = "EAGER, MYMPI_*", .scope = mpit::scope::local, .on_write = &may_change}
#pragma once

#include <mpit/core/range.hpp>
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/descriptor/control_value.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/environment_names.hpp>
#include <mpit/descriptor/reply.hpp> // IWYU pragma: export

namespace mpit::inline v0_1 {

namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;
using descriptor::text;

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
struct not_of_this_kind {
    constexpr not_of_this_kind() noexcept {}
    template <class Given> constexpr not_of_this_kind(Given) noexcept {
        static_assert(sizeof(Given) == 0, "control variables of this kind do not have this setting");
    }
};

// The base of the traits of each kind of control variable: the types of the settings in which kinds differ, and the
// type of `value` that functions of an author are given.
template <class Value> struct control_traits {
    using value = Value;
    using storage = not_of_this_kind;
    using default_value = not_of_this_kind;
    using length = not_of_this_kind;
    using read = not_of_this_kind;
    using range = of_numbers;
    using limit = of_numbers;
    using unit = of_numbers;
    using locate = not_bound;
    using count = not_bound;
    static constexpr limit lowest{}, highest{};
    static constexpr length default_length{};
    static constexpr mpit::scope default_scope = mpit::scope::local;
};

} // namespace internal

// Settings of a control variable. What its kind does not have is refused. `valid` answers whether a value can be had at
// all, from wherever it comes: if it returns false, a tool gets MPI_T_ERR_INVALID. `on_write` hears a value before it
// is stored, in the thread of the writer, and returns whether it is accepted.
template <class Traits> struct control_settings {
    // A value without a name, which is refused.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    typename Traits::storage storage{};             // the address of an adopted variable
    typename Traits::initial initial{};             // a value, or {value, minimum, maximum} of one number
    typename Traits::default_value default_value{}; // of an adopted one: as tools see it, if not the value at load
    typename Traits::length length = Traits::default_length; // of a string: tools see and write so many bytes
    typename Traits::read read{};   // of a string: copies it for a tool, at most `room` bytes with a null
    typename Traits::range range{}; // of one adopted number: {minimum, maximum}
    typename Traits::limit minimum = Traits::lowest, maximum = Traits::highest; // of each number of an array
    typename Traits::unit unit{};                            // bytes: values from outside may be spelled 64k or 2MiB
    descriptor::declared_environment<false> environment{};   // the name of the variable if nothing is said
    core::former_name renamed_from{};                        // a name that it had before, which is still accepted
    const char* deprecated = nullptr;                        // why, and what to use: reported once if it gets a setting
    mpit::scope scope = Traits::default_scope;               // who can change it, and where else it must then change
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for whom it is
    bool (*valid)(const typename Traits::value&) = nullptr;
    reply (*on_write)(const typename Traits::value&) = nullptr;
    typename Traits::locate locate{}; // of a bound one: finds the cell of an object, or null
    typename Traits::count count{};   // of a bound array: how many elements an object has, at most as many as declared
};

namespace MPIT_MODULE_LOCAL internal {

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

// What functions of an author are given, from a value as descriptor::take() has it.
template <class Value> Value value_from(const void* value) {
    if constexpr (core::enumerated<Value>) {
        return static_cast<Value>(*static_cast<const int*>(value));
    } else if constexpr (core::text_object<Value>) {
        Value text;
        text.assign(static_cast<const char*>(value), std::strlen(static_cast<const char*>(value)));
        return text;
    } else if constexpr (requires(Value text) { text.c_str(); }) {
        Value text;
        std::memcpy(text.values, value, strnlen(static_cast<const char*>(value), sizeof text.values - 1));
        return text;
    } else {
        return *static_cast<const Value*>(value);
    }
}

// A control variable with the functions of its author. They keep their type here: a constant expression cannot cast a
// pointer to a function.
template <class Traits> class declared_control : public descriptor::control {
    using value_type = typename Traits::value;

public:
    using settings = control_settings<Traits>;

protected:
    constexpr declared_control(descriptor::category* in_category, core::checked_name own_name, text own_description,
                               const settings& own_settings)
        : descriptor::control{in_category, own_name, own_description},
          valid_{own_settings.valid},
          on_write_{own_settings.on_write} {
        if (!error::is_known_to_be_null(valid_) || !error::is_known_to_be_null(on_write_)) ask = &ask_author;
        apply_control_settings(*this, *in_category, own_settings);
    }
    bool has_on_write() const noexcept { return on_write_ != nullptr; }

private:
    static result ask_author(descriptor::control& d, object_key, const void* given, bool notifies) {
        const auto& self = static_cast<const declared_control&>(d);
        const value_type value = value_from<value_type>(given);
        if (self.valid_ != nullptr && !self.valid_(value)) return result::invalid;
        return notifies && self.on_write_ != nullptr ? result_of(self.on_write_(value)) : result::success;
    }

    bool (*valid_)(const value_type&);
    reply (*on_write_)(const value_type&);
};

// The initial value of a number with its range, or of an enumeration, as descriptor::control has them: as tools see
// them, the value first.
template <class T> struct declared_value : core::bounded<T> {
    static constexpr std::size_t range_at = sizeof(typename core::bounded<T>::arithmetic);
    constexpr explicit declared_value(const core::bounded<T>& initial) noexcept : core::bounded<T>{initial} {}
    constexpr T start() const noexcept { return this->value; }
    constexpr bool has_limits() const noexcept { return core::is_limited(this->minimum, this->maximum); }
};
template <core::enumerated E> struct declared_value<E> {
    int value = 0;
    static constexpr std::size_t range_at = 0;
    constexpr declared_value() noexcept {} // of an adopted variable
    constexpr explicit declared_value(const core::initial_item<E>& initial) noexcept
        : value{static_cast<int>(initial.value)} {
        initial.check_default();
    }
    constexpr E start() const noexcept { return static_cast<E>(value); }
    constexpr bool has_limits() const noexcept { return false; }
};

// Where a class has a value and a declared_value, in bytes from its beginning.
struct value_places {
    std::size_t storage, declared;
};
// Describes one number or item, which is kept as a Storage.
template <class T, class Storage>
constexpr void describe_number(descriptor::control& d, const value_places& at, bool has_limits) {
    constexpr descriptor::number_codec codec = descriptor::codec_of<T, Storage>();
    constexpr std::size_t range_at = declared_value<T>::range_at;
    d.type = codec.type;
    d.codec = codec;
    d.storage_offset = static_cast<std::uint32_t>(at.storage);
    d.initial_offset = static_cast<std::uint32_t>(at.declared);
    d.is_one_number = codec.is_stored_as_seen();
    d.operations = &descriptor::number_in_memory<descriptor::parser_of<T>()>;
    if constexpr (range_at != 0) {
        d.range_offset = static_cast<std::uint32_t>(at.declared + range_at);
    } else {
        d.enumeration = core::enumeration_view_of<T>();
    }
    d.has_limits = has_limits;
}

// The operations of a variable in the cells of MPI objects.
template <class Variable, class Object>
constexpr descriptor::control_operations bound_operations(descriptor::control_operations operations) {
    operations.parse = &descriptor::parse_bound;
    operations.locate = &locate_in_cells<Variable, descriptor::control>;
    operations.key = key_function<Object>();
    return operations;
}
template <class Variable, class Object>
constexpr void bind_to(descriptor::control& d, const descriptor::control_operations& operations) {
    d.binding = descriptor::object_traits<Object>::binding;
    d.announce = announcement_function<Variable, Object>();
    d.operations = &operations;
    d.initial_offset = 0;
    d.is_one_number = false;
}

} // namespace internal

} // namespace mpit
