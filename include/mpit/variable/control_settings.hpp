// SPDX-License-Identifier: BSD-3-Clause
// The settings of control variables, and the base class of the templates for control variables (MPI-5.0, 15.3.6).
//
//   {.initial = {65536, 0, 1 << 20}, .environment = "EAGER, M_*", .scope = mpit::scope::local, .on_write = &may_change}
#pragma once

#include <mpit/core/range.hpp>
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/descriptor/control_value.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/environment_names.hpp>
#include <mpit/descriptor/reply.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;
using descriptor::text;

// The types of settings that a kind of control variable does not have. A value for a setting that the variable does not
// have is a compile error. The error message names the setting to use instead, if there is one.
// The constructors that refuse a value are not constexpr (descriptor/declared_settings.hpp).
struct replaced_by_initial {
    constexpr replaced_by_initial() noexcept {}
    template <class Value> replaced_by_initial(Value) noexcept {
        static_assert(sizeof(Value) == 0,
                      "the range must follow the initial value: .initial = {value, minimum, maximum}");
    }
};
struct only_of_numbers {
    constexpr only_of_numbers() noexcept {}
    template <class Value> only_of_numbers(Value) noexcept {
        static_assert(sizeof(Value) == 0, "only a number can have a unit or a range");
    }
};
struct not_of_this_kind {
    constexpr not_of_this_kind() noexcept {}
    template <class Value> not_of_this_kind(Value) noexcept {
        static_assert(sizeof(Value) == 0, "control variables of this kind do not have this setting");
    }
};

// The base class of the traits of scalars, arrays, texts and adopted objects. The traits of a control variable define
// the types of the variable's settings, and the type of the value that `.valid` and `.on_write` receive.
template <class Value> struct control_traits {
    using value = Value;
    using storage = not_of_this_kind;
    using default_value = not_of_this_kind;
    using length = not_of_this_kind;
    using read = not_of_this_kind;
    using range = only_of_numbers;
    using limit = only_of_numbers;
    using unit = only_of_numbers;
    using labels = not_of_this_kind;
    using locate = not_bound;
    using count = not_bound;
    static constexpr limit lowest{}, highest{};
    static constexpr length default_length{};
    static constexpr mpit::scope default_scope = mpit::scope::local;
};

} // namespace internal

// The settings of a control variable. A setting that the kind of the variable does not have is a compile error. `valid`
// returns true if the library accepts a value from a tool, the environment or a file. If `valid` returns false, a tool
// that writes the value gets MPI_T_ERR_INVALID. `on_write` is called in the thread of the writer before a value is
// stored, and returns whether the library accepts the value.
template <class Traits> struct control_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    typename Traits::storage storage{};             // address of the adopted object
    typename Traits::initial initial{};             // initial value, or {value, minimum, maximum} for a scalar number
    typename Traits::default_value default_value{}; // default of an adopted object, instead of its value at load
    typename Traits::length length = Traits::default_length; // largest std::string that tools read or write, in bytes
    typename Traits::read read{};   // copies a string for a tool, at most `room` bytes with the null
    typename Traits::range range{}; // {minimum, maximum} of an adopted scalar number
    typename Traits::limit minimum = Traits::lowest, maximum = Traits::highest; // limits of each number of an array
    typename Traits::labels labels{};                                           // labels of the elements of an array
    typename Traits::unit unit{};                          // unit bytes allows 64k or 2MiB in values from outside
    descriptor::declared_environment<false> environment{}; // environment names, by default the name of the variable
    core::former_name renamed_from{};                      // earlier name of the variable, which is still accepted
    const char* deprecated = nullptr;          // reason and substitute, reported once if a user sets the variable
    mpit::scope scope = Traits::default_scope; // scope of changes, as the standard defines
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // audience and level of detail
    bool (*valid)(const typename Traits::value&) = nullptr;
    reply (*on_write)(const typename Traits::value&) = nullptr;
    typename Traits::locate locate{}; // returns the cell of an object for a bound variable, or null
    typename Traits::count count{};   // returns the number of elements that a bound array has for an object, at most N
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

// Converts the value that is passed to control_operations::store() to the type that `.valid` and `.on_write` accept.
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

// The base class of all declared control variables. The class stores the function pointers `.valid` and `.on_write`.
// The base class is a template, because a constant expression cannot cast the pointers to a common type.
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

// The initial value and the range of a number, or the initial item of an enumeration. descriptor::control has the
// offsets of the members in initial_offset and range_offset. The offsets are correct only if the value is the first
// member, and if all members have the type that tools see.
template <class T> struct declared_value : core::bounded<T> {
    static constexpr std::size_t range_offset = sizeof(typename core::bounded<T>::arithmetic);
    constexpr explicit declared_value(const core::bounded<T>& initial) noexcept : core::bounded<T>{initial} {}
    constexpr T start() const noexcept { return this->value; }
    constexpr bool has_limits() const noexcept { return core::is_limited(this->minimum, this->maximum); }
};
template <core::enumerated E> struct declared_value<E> {
    int value = 0;
    static constexpr std::size_t range_offset = 0; // an enumeration has no range
    constexpr declared_value() noexcept {}         // for an adopted variable
    constexpr explicit declared_value(const core::initial_item<E>& initial) noexcept
        : value{static_cast<int>(initial.value)} {
        initial.check_default();
    }
    constexpr E start() const noexcept { return static_cast<E>(value); }
    constexpr bool has_limits() const noexcept { return false; }
};

// The offsets of the current value and of the declared_value from the beginning of the variable, in bytes.
struct value_offsets {
    std::size_t storage, declared;
};
// Fills the descriptor of a scalar control variable of type T whose value is stored as a Storage.
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

// Returns the operations of a bound variable, which has one cell for each MPI object.
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
