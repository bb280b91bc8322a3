// SPDX-License-Identifier: BSD-3-Clause
// A batch reads several performance variables of mpit's registry into one structure of a tool. A tool can use batches
// in any shared object of the process. A batch calls no MPI function.
//
//   struct sample { unsigned long messages; double waiting; };
//   mpit::tool::batch<sample> batch;
//   mpit::result added = batch.add(&sample::messages, "messages_sent", mpit::performance_class::counter);
//   sample now{};   batch.start();   ...   batch.read(now);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/batch/variable_batch.hpp>
#include <mpit/module/registered.hpp>
#include <mpit/tool/object.hpp>    // IWYU pragma: export
#include <mpit/tool/to_string.hpp> // IWYU pragma: export

namespace mpit::inline v1_0::tool {

// The type and the number of the elements of a field of the tool's structure. For the library's own use.
template <class Field> struct field_type {
    using element = Field;
    static constexpr std::uint32_t count = 1;
};
template <class T, std::size_t N> struct field_type<T[N]> {
    using element = T;
    static constexpr std::uint32_t count = N;
};
// For the library's own use.
template <class Element> constexpr datatype datatype_of_field() {
    static_assert(core::number<Element> || __is_same(Element, char) || __is_enum(Element),
                  "a field must be a number, an enumeration, char[N] for a text, or an array of numbers");
    static_assert(!__is_enum(Element) || sizeof(Element) == sizeof(int),
                  "a field of an enumeration type must have the size of int");
    if constexpr (__is_same(Element, char)) return datatype::char_type;
    else if constexpr (core::enumerated<Element>) return datatype::int_type;
    else return core::value_type<Element>::type;
}

// Chooses the performance variable whose value a field of the tool's structure receives. A `choice` is a plain value.
// Each thread and each signal handler uses its own copy.
template <class Sample> struct choice {
    // `bound_object` is the MPI object, such as MPI_COMM_WORLD, of a variable that is bound to one.
    template <class Field>
    choice(Field Sample::* field, const char* name, performance_class variable_class,
           const object& bound_object = {}) noexcept
        : choice{offset(field), name, variable_class, bound_object} {
        set_type<typename field_type<Field>::element>();
        request.count = field_type<Field>::count;
    }
    // Chooses the performance variable for a field of a nested structure.
    template <class Inside, class Field>
    choice(Inside Sample::* inside, Field Inside::* field, const char* name, performance_class variable_class,
           const object& bound_object = {}) noexcept
        : choice{offset(inside) + offset(field), name, variable_class, bound_object} {
        set_type<typename field_type<Field>::element>();
        request.count = field_type<Field>::count;
    }
    // Chooses the performance variable for one element of a field that is an array.
    template <class Element, std::size_t N>
    choice(Element (Sample::*field)[N], std::size_t element, const char* name, performance_class variable_class,
           const object& bound_object = {}) noexcept
        : choice{offset(field) + element * sizeof(Element), name, variable_class, bound_object} {
        set_type<Element>();
        if (element >= N) request.count = 0;
    }

    // For the library's own use.
    mpit::session::batch_request request;
    object bound_to;

private:
    choice(std::size_t offset, const char* name, performance_class variable_class,
           const object& bound_object) noexcept {
        request.variable_class = variable_class;
        request.name = name;
        bound_to = bound_object;
        request.offset = static_cast<std::uint32_t>(offset);
    }
    // In the ABIs of Linux, a pointer to a data member contains the offset of the member, in bytes.
    template <class Inside, class Field> static std::size_t offset(Field Inside::* field) noexcept {
        return __builtin_bit_cast(std::size_t, field);
    }
    template <class Element> void set_type() noexcept {
        request.type = datatype_of_field<Element>();
        if constexpr (core::enumerated<Element>) {
            static_assert(core::is_described<Element>, "a field of an enumeration type needs a specialisation of "
                                                       "mpit::enumeration_of, or must be declared as int");
            request.enumeration = core::enumeration_view_of<Element>().name.characters;
        }
    }
};

// A batch starts, stops, resets and reads several performance variables together. A batch has its own value of each
// variable, as an MPI_T session has. The values change only while the batch is started, and do not depend on sessions
// and other batches. Only one thread at a time may add variables. Several threads and signal handlers may call start(),
// stop(), reset() and read() at once. A call of start(), stop(), reset() or read() applies to all variables that still
// exist. If the library or the MPI object of a variable no longer exists, the call returns MPI_T_ERR_INVALID_HANDLE.
template <class Sample> class batch {
    static_assert(__is_trivially_copyable(Sample) && __is_standard_layout(Sample),
                  "a sample must be a trivially copyable structure of standard layout");
    static_assert(sizeof(Sample) < std::size_t{1} << 29, "a sample must be smaller than 512 MiB");

public:
    MPIT_MODULE_LOCAL batch() noexcept { static_cast<void>(registry::start_of_module<Sample>::type::registry); }
    MPIT_MODULE_LOCAL ~batch() {}

    // Adds one performance variable, whose value the field of the sample receives. The variable and the field must have
    // types of the same size and kind, and the same number of elements. Returns MPI_T_ERR_INVALID_NAME for an unknown
    // variable, MPI_T_ERR_INVALID_INDEX while the library of the variable is not loaded, MPI_T_ERR_INVALID_HANDLE for
    // an MPI object that does not exist, MPI_T_ERR_MEMORY, wrong_type, wrong_count, or field_in_use. If a variable no
    // longer exists, its field can be used for another variable. Signal handlers must not add variables.
    template <class Field>
    MPIT_MODULE_LOCAL result add(Field Sample::* field, const char* name, performance_class variable_class,
                                 const object& bound_object = {}) noexcept {
        return add(choice<Sample>{field, name, variable_class, bound_object});
    }
    template <class Inside, class Field>
    MPIT_MODULE_LOCAL result add(Inside Sample::* inside, Field Inside::* field, const char* name,
                                 performance_class variable_class, const object& bound_object = {}) noexcept {
        return add(choice<Sample>{inside, field, name, variable_class, bound_object});
    }
    template <class Element, std::size_t N>
    MPIT_MODULE_LOCAL result add(Element (Sample::*field)[N], std::size_t element, const char* name,
                                 performance_class variable_class, const object& bound_object = {}) noexcept {
        return add(choice<Sample>{field, element, name, variable_class, bound_object});
    }
    MPIT_MODULE_LOCAL result add(const choice<Sample>& entry) noexcept {
        return variables_.add(sizeof(Sample), entry.request, entry.bound_to.address());
    }
    // Adds a list of variables. Calls `on_refused(name, result)` for each refused variable. Returns the first error.
    template <std::size_t N, class Function>
    MPIT_MODULE_LOCAL result add(const choice<Sample> (&list)[N], const Function& on_refused) noexcept {
        result first_error = result::success;
        for (const choice<Sample>& entry : list) {
            const result status = add(entry);
            if (status == result::success) continue;
            on_refused(entry.request.name, status);
            if (first_error == result::success) first_error = status;
        }
        return first_error;
    }
    template <std::size_t N> MPIT_MODULE_LOCAL result add(const choice<Sample> (&list)[N]) noexcept {
        return add(list, [](const char*, result) {});
    }

    // Starts all variables of the batch, except continuous variables, which run as soon as the variables are added.
    MPIT_MODULE_LOCAL result start() noexcept { return variables_.start(); }
    // Stops all variables of the batch. The values of stopped variables stay the same until the next start.
    MPIT_MODULE_LOCAL result stop() noexcept { return variables_.stop(); }
    // Sets all variables of the batch to their starting values, except readonly variables.
    MPIT_MODULE_LOCAL result reset() noexcept { return variables_.reset(); }
    // Writes the values of all variables to the fields of `sample`. Returns MPI_T_ERR_INVALID_HANDLE if the library or
    // the MPI object of a variable no longer exists. If a variable no longer exists, its field does not change.
    MPIT_MODULE_LOCAL result read(Sample& sample) noexcept { return variables_.read(&sample); }

private:
    mpit::session::variable_batch variables_;
};

} // namespace mpit::tool

#include <mpit/end.hpp>
