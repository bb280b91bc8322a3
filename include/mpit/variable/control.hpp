// SPDX-License-Identifier: BSD-3-Clause
// Scalar control variables, whose value is a number or an item of an enumeration (MPI-5.0, 15.3.6). The library that
// declares a control variable reads the value by one plain load.
//
//   mpit::control<int> limit{this, "EAGER_LIMIT", "Largest eager message, in bytes", {.initial = {65536, 0, 1 << 20}}};
//   if (bytes <= limit) ...
#pragma once

#include <mpit/variable/control_settings.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The member `type` is T if a control variable can have the type T. An impossible type T is a compile error.
template <class T> struct control_value {
    static constexpr bool is_item = core::enumerated<T>, is_possible = core::number<T> || is_item;
    static_assert(!core::is_text<T>,
                  "a text must be declared as mpit::control<char[N]>, or adopted by mpit::control_ref");
    static_assert(is_possible || core::is_text<T>,
                  "a control variable must be int, unsigned, unsigned long, unsigned long long, double, long, "
                  "mpit::count, mpit::exact<...>, bool, char[N] or an enumeration");
    static_assert(!is_item || core::is_described<T>,
                  "an enumeration type needs a function enumeration_of(E) beside it, or a "
                  "specialisation of mpit::enumeration_of, before a variable holds it");
    using type = typename core::if_possible<T, is_possible && (!is_item || core::is_described<T>)>::type;
};

} // namespace internal

// A control_cell holds the value of a control variable. A library can make a control_cell a member of its own structs.
// Any thread and any signal handler may read the value by one load, and assign a value by one store.
template <class T> class control_cell {
public:
    MPIT_MODULE_LOCAL constexpr control_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit control_cell(T initial) noexcept : value_{initial} {}
    // Returns the current value, by a plain load.
    MPIT_MODULE_LOCAL T get() const noexcept { return value_.load(core::relaxed); }
    MPIT_MODULE_LOCAL operator T() const noexcept { return get(); }
    // Assigns the value without validation and without a call of `.on_write`.
    MPIT_MODULE_LOCAL void operator=(T value) noexcept { value_.store(value); }

    // For the library's own use.
    MPIT_MODULE_LOCAL void reset(T initial) noexcept { value_.store(initial); }

private:
    core::atomic<T> value_;
};

namespace internal { // default visibility, for the types of settings that authors use

template <class T, class Object> struct number_traits : control_traits<T> {
    using initial = core::initial_range<T>;
    using range = replaced_by_initial;
    using limit = replaced_by_initial;
    using unit = mpit::unit;
    using locate = locate_function<control_cell<T>, Object>;
    static constexpr limit lowest{}, highest{};
};
template <core::enumerated E, class Object> struct number_traits<E, Object> : control_traits<E> {
    using initial = core::initial_item<E>;
    using locate = locate_function<control_cell<E>, Object>;
};

} // namespace internal

// A scalar control variable with one value for the process or one value for each MPI object. The description names the
// unit (MPI-5.0, 15.3.6). Any thread and any signal handler may read and assign the variable. After a tool has written
// a value, the next read returns this value. `variable[object]` is the value of an MPI object to which the variable is
// bound. `variable[object]` allocates the cell of the object if mpit::created() was not called for the object. A tool's
// write returns MPI_T_ERR_INVALID for a value outside of the range or the enumeration, and MPI_T_ERR_CVAR_SET_NEVER for
// the scopes constant and readonly.
template <class T, class Object = void>
class control
    : public internal::declared_control<internal::number_traits<typename internal::control_value<T>::type, Object>> {
    using value_type = typename internal::control_value<T>::type;
    using base_type = internal::declared_control<internal::number_traits<value_type, Object>>;
    using store_type = internal::cell_store<control_cell<value_type>, Object, value_type>;
    static constexpr bool is_bound = store_type::is_bound;

public:
    constexpr control(
        descriptor::category* parent, core::declared_name name, core::text description,
        const typename base_type::settings& settings = internal::no_settings<typename base_type::settings>)
        : base_type{parent, name, description, settings},
          declared_{settings.initial},
          store_{declared_.start(), settings.locate} {
        internal::describe_number<value_type, value_type>(
            *this, {__builtin_offsetof(control, store_), __builtin_offsetof(control, declared_)},
            declared_.has_limits());
        if constexpr (is_bound) internal::bind_to<control, Object>(*this, operations_in_objects);
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr control(descriptor::category* parent, core::declared_name name, core::text description,
                      const internal::unnamed_setting&, const More&...)
        : control{parent, name, description} {}

    // Returns the current value, by a plain load. Any thread and any signal handler may call get().
    MPIT_MODULE_LOCAL value_type get() const noexcept
        requires(!is_bound)
    {
        return store_.cell.get();
    }
    MPIT_MODULE_LOCAL operator value_type() const noexcept
        requires(!is_bound)
    {
        return get();
    }
    // Assigns the value without a check of the range, and without calls of `.valid` and `.on_write`.
    MPIT_MODULE_LOCAL void operator=(value_type value) noexcept
        requires(!is_bound)
    {
        store_.cell = value;
        this->note_assignment();
    }
    template <class Handle>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL control_cell<value_type>& operator[](Handle object) noexcept
        requires(is_bound)
    {
        return store_.cell_of(object);
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL store_type& cells() noexcept { return store_; }

private:
    MPIT_MODULE_LOCAL static constexpr descriptor::control_operations operations_in_objects =
        internal::bound_operations<control, Object>(descriptor::number_in_memory<descriptor::parser_of<value_type>()>);

    internal::declared_value<value_type> declared_;
    store_type store_;
};

} // namespace mpit
