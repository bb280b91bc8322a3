// SPDX-License-Identifier: BSD-3-Clause
// The settings of a control variable, and the common part of all classes that declare one (MPI-5.0, 15.3.6).
//
//   {.initial = {65536, 0, 1 << 20}, .environment = "EAGER, M_*", .scope = mpit::scope::local, .on_write = &may_change}
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

// The types of settings that a kind of control variable does not have; the compile error names the substitute, if any.
struct replaced_by_initial {
    constexpr replaced_by_initial() noexcept {}
    template <class Value> constexpr replaced_by_initial(Value) noexcept {
        static_assert(sizeof(Value) == 0,
                      "the range must follow the initial value: .initial = {value, minimum, maximum}");
    }
};
struct only_of_numbers {
    constexpr only_of_numbers() noexcept {}
    template <class Value> constexpr only_of_numbers(Value) noexcept {
        static_assert(sizeof(Value) == 0, "only a number can have a unit or a range");
    }
};
struct not_of_this_kind {
    constexpr not_of_this_kind() noexcept {}
    template <class Value> constexpr not_of_this_kind(Value) noexcept {
        static_assert(sizeof(Value) == 0, "control variables of this kind do not have this setting");
    }
};

// The base of the traits of each kind of control variable: the types of the settings in which kinds differ, and the
// type of the value that `.valid` and `.on_write` receive.
template <class Value> struct control_traits {
    using value = Value;
    using storage = not_of_this_kind;
    using default_value = not_of_this_kind;
    using length = not_of_this_kind;
    using read = not_of_this_kind;
    using range = only_of_numbers;
    using limit = only_of_numbers;
    using unit = only_of_numbers;
    using locate = not_bound;
    using count = not_bound;
    static constexpr limit lowest{}, highest{};
    static constexpr length default_length{};
    static constexpr mpit::scope default_scope = mpit::scope::local;
};

} // namespace internal

// Settings of a control variable; the compiler refuses those that its kind does not have. `valid` returns whether the
// variable can have a value, whatever its origin; if not, a tool that writes it gets MPI_T_ERR_INVALID. `on_write` is
// called with a value before it is stored, in the thread of the writer, and returns whether the library accepts it.
template <class Traits> struct control_settings {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // receives, and refuses, an unnamed value
    typename Traits::storage storage{};                               // the address of an adopted variable
    typename Traits::initial initial{};             // a value, or for one number {value, minimum, maximum}
    typename Traits::default_value default_value{}; // of an adopted variable, for tools: by default its value at load
    typename Traits::length length = Traits::default_length; // of a string: the most bytes that tools read or write
    typename Traits::read read{};   // of a string: copies it for a tool, at most `room` bytes with a null
    typename Traits::range range{}; // of one adopted number: {minimum, maximum}
    typename Traits::limit minimum = Traits::lowest, maximum = Traits::highest; // of each number of an array
    typename Traits::unit unit{};                          // bytes: values from outside may be spelled 64k or 2MiB
    descriptor::declared_environment<false> environment{}; // by default the name of the variable
    core::former_name renamed_from{};                      // an earlier name, which is still accepted
    const char* deprecated = nullptr;                      // reason and substitute: reported once if a setting is given
    mpit::scope scope = Traits::default_scope;             // whether it can change, and where it must change together
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // the audience, and the level of detail
    bool (*valid)(const typename Traits::value&) = nullptr;
    reply (*on_write)(const typename Traits::value&) = nullptr;
    typename Traits::locate locate{}; // of a bound variable: returns the cell of an object, or null
    typename Traits::count count{};   // of a bound array: returns the number of elements of an object, at most N
};

namespace MPIT_MODULE_LOCAL internal {

constexpr void apply_former_name(descriptor::control& variable, descriptor::category& parent, text former_name) {
    if (core::constexpr_equal(former_name, variable.name))
        error::the_former_name_of_a_control_variable_is_the_same_as_its_name();
    variable.former_name = former_name.characters;
    variable.has_only_its_name = false;
    parent.has_former_names = true;
}

constexpr void apply_environment(descriptor::control& variable, const descriptor::category& parent,
                                 const environment_names& setting) {
    variable.rules = parent.rules;
    if (setting.are_none) {
        variable.environment = "";
    } else if (setting.names.length != 0) {
        variable.environment = setting.names.characters;
    } else if (parent.has_rules && parent.rules->has_environment) {
        variable.environment = parent.rules->environment;
    } else {
        variable.environment = variable.name.characters, variable.has_only_its_name = true;
    }
}

template <class Settings>
constexpr void apply_control_settings(descriptor::control& variable, descriptor::category& parent,
                                      const Settings& settings) {
    parent.root().apply_environment_at_load = &registry::apply_environment_at_load;
    variable.scope = settings.scope;
    variable.verbosity = settings.verbosity;
    if constexpr (requires { variable.unit = settings.unit; }) variable.unit = settings.unit;
    apply_environment(variable, parent, settings.environment);
    if (const char* name = settings.renamed_from.characters; name != nullptr) apply_former_name(variable, parent, name);
    if (settings.deprecated != nullptr) variable.deprecation = settings.deprecated, variable.has_only_its_name = false;
    if (settings.scope >= mpit::scope::group && variable.description.length == 0)
        error::a_scope_of_group_or_all_needs_a_description_of_the_processes_that_must_write_the_variable();
}

// Returns the argument of `.valid` and `.on_write`, made from a value in the form of control_operations::store().
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

// A control variable with its functions `.valid` and `.on_write`. This class has them with their types, because a
// constant expression cannot cast a function pointer.
template <class Traits> class declared_control : public descriptor::control {
    using value_type = typename Traits::value;

public:
    using settings = control_settings<Traits>;

protected:
    constexpr declared_control(descriptor::category* parent, core::checked_name variable_name,
                               text variable_description, const settings& options)
        : descriptor::control{parent, variable_name, variable_description},
          valid_{options.valid},
          on_write_{options.on_write} {
        if (!error::is_known_to_be_null(valid_) || !error::is_known_to_be_null(on_write_))
            call_functions = &call_valid_and_on_write;
        apply_control_settings(*this, *parent, options);
    }
    bool has_on_write() const noexcept { return on_write_ != nullptr; }

private:
    static result call_valid_and_on_write(descriptor::control& variable, object_key, const void* stored_form,
                                          bool notifies) {
        const auto& self = static_cast<const declared_control&>(variable);
        const value_type value = value_from<value_type>(stored_form);
        if (self.valid_ != nullptr && !self.valid_(value)) return result::invalid;
        return notifies && self.on_write_ != nullptr ? result_of(self.on_write_(value)) : result::success;
    }

    bool (*valid_)(const value_type&);
    reply (*on_write_)(const value_type&);
};

// The initial value of a number with its range, or the initial item of an enumeration, in the form that initial_offset
// and range_offset of descriptor::control require: as tools see them, the value first.
template <class T> struct declared_value : core::bounded<T> {
    static constexpr std::size_t range_offset = sizeof(typename core::bounded<T>::arithmetic);
    constexpr explicit declared_value(const core::bounded<T>& initial) noexcept : core::bounded<T>{initial} {}
    constexpr T start() const noexcept { return this->value; }
    constexpr bool has_limits() const noexcept { return core::is_limited(this->minimum, this->maximum); }
};
template <core::enumerated E> struct declared_value<E> {
    int value = 0;
    static constexpr std::size_t range_offset = 0; // an enumeration has no range
    constexpr declared_value() noexcept {}         // of an adopted variable
    constexpr explicit declared_value(const core::initial_item<E>& initial) noexcept
        : value{static_cast<int>(initial.value)} {
        initial.check_default();
    }
    constexpr E start() const noexcept { return static_cast<E>(value); }
    constexpr bool has_limits() const noexcept { return false; }
};

// The offsets of the value and of the declared_value in the class of a variable, in bytes.
struct value_offsets {
    std::size_t storage, declared;
};
// Fills the descriptor of one number or item, which is stored as a Storage.
template <class T, class Storage>
constexpr void describe_number(descriptor::control& variable, const value_offsets& offsets, bool has_limits) {
    constexpr descriptor::number_codec codec = descriptor::codec_of<T, Storage>();
    constexpr std::size_t range_offset = declared_value<T>::range_offset;
    variable.type = codec.type;
    variable.codec = codec;
    variable.storage_offset = static_cast<std::uint32_t>(offsets.storage);
    variable.initial_offset = static_cast<std::uint32_t>(offsets.declared);
    variable.is_one_number = codec.is_stored_unconverted();
    variable.operations = &descriptor::number_in_memory<descriptor::parser_of<T>()>;
    if constexpr (range_offset != 0) {
        variable.range_offset = static_cast<std::uint32_t>(offsets.declared + range_offset);
    } else {
        variable.enumeration = core::enumeration_view_of<T>();
    }
    variable.has_limits = has_limits;
}

// Returns the operations of a variable whose values are in cells of MPI objects.
template <class Variable, class Object>
constexpr descriptor::control_operations bound_operations(descriptor::control_operations operations) {
    operations.parse = &descriptor::parse_bound;
    operations.locate = &locate_in_cells<Variable, descriptor::control>;
    operations.key = key_function<Object>();
    return operations;
}
template <class Variable, class Object>
constexpr void bind_to(descriptor::control& variable, const descriptor::control_operations& operations) {
    variable.binding = descriptor::object_traits<Object>::binding;
    variable.announce = announcement_function<Variable, Object>();
    variable.operations = &operations;
    variable.initial_offset = 0;
    variable.is_one_number = false;
}

} // namespace internal
} // namespace mpit
