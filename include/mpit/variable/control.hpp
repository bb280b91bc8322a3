// SPDX-License-Identifier: BSD-3-Clause
// Control variables of one value: a number or an enumeration. The library reads one at the cost of a plain load
// (MPI-5.0, 15.3.6).
//
//   mpit::control<int> limit{this, "EAGER_LIMIT", "Largest message sent at once, in bytes", {.initial = {65536, 0, 1 << 20}}};
//   if (bytes <= limit) …
#pragma once

#include <mpit/variable/control_settings.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Keeps the value of a control variable; a runtime can embed one in its own objects. Any thread and any signal handler may read
// and assign it: one load or store.
template <class T> class control_cell {
public:
    MPIT_MODULE_LOCAL constexpr control_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit control_cell(T initial) noexcept : value_{initial} {}
    // The present value, by a plain load.
    MPIT_MODULE_LOCAL T get() const noexcept { return value_.load(core::relaxed); }
    MPIT_MODULE_LOCAL operator T() const noexcept { return get(); }
    // Assigns without validation; on_write is not called.
    MPIT_MODULE_LOCAL void operator=(T value) noexcept { value_.store(value); }

    // For the library's own use.
    MPIT_MODULE_LOCAL void reset(T start) noexcept { value_.store(start); }
    // For the library's own use.
    MPIT_MODULE_LOCAL const void* address() const noexcept { return &value_; }

private:
    core::atomic<T> value_;
};

namespace MPIT_MODULE_LOCAL internal {

// Which values of T may be taken: a range of numbers, or the items of an enumeration.
template <class T> struct value_check {
    core::bounded<T> range;

    constexpr explicit value_check(const core::bounded<T>& initial) : range{initial} {}
    bool accepts(const T& value) const noexcept { return range.accepts(value); }
    bool parse(text written, mpit::unit value_unit, T& value) const noexcept {
        typename core::value_type<T>::arithmetic number{};
        const bool good = core::parse(written, number, value_unit);
        if (good) value = number;
        return good;
    }
    // A tool passes a buffer of any alignment; false if it holds no value of the type.
    static bool take(const void* buffer, T& value) noexcept {
        std::memcpy(&value, buffer, sizeof value);
        return true;
    }
    static void put(T value, void* buffer) noexcept { std::memcpy(buffer, &value, sizeof value); }
    static constexpr T initial_value(const core::bounded<T>& initial) { return initial.value; }
    T initial() const noexcept {
        typename core::bounded<T>::arithmetic value;
        __atomic_load(&range.value, &value, __ATOMIC_RELAXED);
        return value;
    }
    void keep_initial(T initial) noexcept {
        typename core::bounded<T>::arithmetic value = initial;
        __atomic_store(&range.value, &value, __ATOMIC_RELAXED);
    }
};

// A tool sees an enumeration as an int.
template <core::enumerated E> struct value_check<E> {
    E first{};

    constexpr value_check() noexcept {} // of an adopted variable
    constexpr explicit value_check(const core::initial_item<E>& initial) : first{initial.value} {
        initial.check_default();
    }
    bool accepts(const E&) const noexcept { return true; }
    bool parse(text written, mpit::unit, E& result) const noexcept {
        int value = 0;
        const bool good = core::parse(written, core::enumeration_view_of<E>(), value);
        if (good) result = static_cast<E>(value);
        return good;
    }
    static bool take(const void* buffer, E& result) noexcept {
        int value = 0;
        std::memcpy(&value, buffer, sizeof value);
        result = static_cast<E>(value);
        return core::enumeration_view_of<E>().has(value);
    }
    static void put(E value, void* buffer) noexcept {
        const int number = static_cast<int>(value);
        std::memcpy(buffer, &number, sizeof number);
    }
    static constexpr E initial_value(const core::initial_item<E>& initial) { return initial.value; }
    E initial() const noexcept { return first; }
    void keep_initial(const E& value) noexcept { first = value; }
};

// Whether the cell of a variable is adopted storage.
template <class Start> constexpr bool is_address = false;
template <class T> constexpr bool is_address<T*> = true;

// What the cell of a variable holds.
template <class Start> struct held_in_cell { using type = Start; };
template <class T> struct held_in_cell<T*> { using type = T; };

// The attributes, checks and functions of a control variable of one T, wherever its cells are.
template <class T, class Cell, class Object, class Start> class single_control : public descriptor::control {
    using value_check = internal::value_check<T>;
    // Tools see an enumeration as an int. Of a bool in a wider number they see 0 or 1.
    static constexpr bool is_as_tools_see_it =
        !__is_same(T, bool) && sizeof(typename held_in_cell<Start>::type) == core::size_of(core::datatype_of<T>());

public:
    using store = cell_store<Cell, Object, Start>;
    store& cells() noexcept { return store_; }

protected:
    template <class Settings>
    constexpr single_control(descriptor::category* in_category, core::checked_name called, text meaning,
                             const Settings& chosen,
                             const value_check& admitted, Start start)
        : descriptor::control{in_category, called, meaning},
          admission_{admitted},
          functions_{chosen.valid, chosen.on_write},
          store_{start, chosen.locate} {
        constexpr datatype type_of_value = core::datatype_of<T>();
        type = type_of_value;
        if constexpr (core::enumerated<T>) enumeration = core::enumeration_view_of<T>();
        if constexpr (!__is_same(Object, void)) {
            binding = descriptor::object_traits<Object>::binding;
            announce = announcement_function<single_control, Object>();
        }
        operations = &table;
        apply_control_settings(*this, *in_category, chosen);
    }

private:
    static single_control& self(descriptor::control& d) noexcept { return static_cast<single_control&>(d); }
    result check(const T& value, bool from_tool) const noexcept {
        return admission_.accepts(value) ? functions_.ask(value, from_tool) : result::invalid;
    }
    static result read(descriptor::control&, void* cell, object_key, void* value) {
        value_check::put(static_cast<Cell*>(cell)->get(), value);
        return result::success;
    }
    static result write(descriptor::control& d, void* buffer, object_key, const void* value) {
        T wanted{};
        if (!value_check::take(value, wanted)) return result::invalid;
        const result answer = self(d).check(wanted, true);
        if (answer == result::success) *static_cast<Cell*>(buffer) = wanted;
        return answer;
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        if constexpr (store::is_bound) {
            return descriptor::apply_result::is_bound;
        } else {
            T wanted{};
            const value_check& admitted = self(d).admission_;
            if (!admitted.parse(written, d.unit, wanted) || !admitted.accepts(wanted))
                return descriptor::apply_result::no_value;
            if (self(d).functions_.ask(wanted, is_running) != result::success) return descriptor::apply_result::refused;
            self(d).store_.cell = wanted;
            return descriptor::apply_result::taken;
        }
    }
    static void put_range(descriptor::control& d, void* low, void* high) { self(d).admission_.range.put_ends(low, high); }
    static void put_initial(descriptor::control& d, void* buffer) { value_check::put(self(d).admission_.initial(), buffer); }
    static void keep_initial(descriptor::control& d) { self(d).admission_.keep_initial(self(d).store_.cell.get()); }
    static constexpr auto range_function() -> void (*)(descriptor::control&, void*, void*) {
        if constexpr (store::is_bound || core::enumerated<T>) return nullptr;
        else return &put_range;
    }
    static constexpr auto initial_function() -> void (*)(descriptor::control&, void*) {
        if constexpr (store::is_bound) return nullptr;
        else return &put_initial;
    }
    // An adopted variable has no other initial value than the one that its library has given to the storage.
    static constexpr auto keep_initial_function() -> void (*)(descriptor::control&) {
        if constexpr (is_address<Start>) return &keep_initial;
        else return nullptr;
    }
    static const void* number(descriptor::control& d) { return self(d).store_.cell.address(); }
    static constexpr auto number_function() -> const void* (*)(descriptor::control&) {
        if constexpr (store::is_bound || !is_as_tools_see_it) return nullptr;
        else return &number;
    }
    static void* locate(descriptor::control& d, object_key key, std::uint32_t& generation) {
        return self(d).store_.existing(key, generation);
    }
    static constexpr descriptor::control_operations table{
        .read = &read,
        .write = &write,
        .parse = &parse,
        .locate = &locate,
        .elements = &descriptor::one_element,
        .key = key_function<Object>(),
        .range = range_function(),
        .initial = initial_function(),
        .keep_initial = keep_initial_function(),
        .number = number_function(),
    };

    [[no_unique_address]] value_check admission_;
    control_functions<T> functions_;

protected:
    store store_;
};

} // namespace internal

// A control variable of one value, of the process or of each MPI object. A value that a tool writes is visible to the
// author's next read. Any thread and any signal handler may read and assign it. Bound variables are read and written as
// `variable[object]`, which allocates the cell of an object that was not announced. A tool that writes gets MPI_T_ERR_INVALID
// for a value outside of the range or the enumeration, MPI_T_ERR_CVAR_SET_NEVER for scopes constant and readonly. The
// unit of a number stands in the description.
template <class T, class Object = void>
class control : public internal::single_control<typename core::held<T>::type, control_cell<T>, Object, T> {
    using base_type = internal::single_control<T, control_cell<T>, Object, T>;
    static constexpr bool is_bound = base_type::store::is_bound;

public:
    using settings = control_settings<T, control_cell<T>, Object>;
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const settings& chosen = internal::no_settings<settings>)
        : base_type{in_category, called, meaning, chosen, internal::value_check<T>{chosen.initial},
                    internal::value_check<T>::initial_value(chosen.initial)} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr control(descriptor::category* in_category, core::declared_name called, core::text meaning,
                      const internal::unnamed_setting&, const More&...)
        : control{in_category, called, meaning} {}

    // The present value, by a plain load, from any thread or signal handler.
    MPIT_MODULE_LOCAL T get() const noexcept requires(!is_bound) { return this->store_.cell.get(); }
    MPIT_MODULE_LOCAL operator T() const noexcept requires(!is_bound) { return get(); }
    // Assigns without validation, also of the range; on_write is not called.
    MPIT_MODULE_LOCAL void operator=(T value) noexcept requires(!is_bound) {
        this->store_.cell = value;
        this->note_assignment();
    }
    template <class Handle>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL control_cell<T>& operator[](Handle object) noexcept requires(is_bound) {
        return this->store_.cell_of(object);
    }
};

} // namespace mpit

#pragma GCC diagnostic pop
