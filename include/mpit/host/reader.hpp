// SPDX-License-Identifier: BSD-3-Clause
// Reads the descriptions of variables, events, sources and categories from an MPI. Each description takes two queries,
// because the first query returns only the sizes of the texts. Enumerations are read item by item. The reader calls an
// MPI through a structure whose members are named like the functions of the standard. The members call the host MPI, or
// functions that are linked with the program.
//
//   described_variable v;
//   int code = linked_reader{}.control(7, v, [&](std::size_t bytes) { return allocate(bytes); });
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/descriptor/variable.hpp>
#include <mpit/host/implementation.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

using core::text;
using descriptor::kind;

// Calls the MPI_T functions with which this shared object is linked. Each member is a template, so that a function need
// not exist if no code calls it. A function that mpi.h does not declare, such as an event function, cannot be called.
struct linked_functions {
#define MPIT_T_FUNCTION(name, needs, group, parameters, ...)                                                           \
    template <class... Arguments> static auto name(Arguments... values) -> decltype(MPI_T_##name(values...)) {         \
        return MPI_T_##name(values...);                                                                                \
    }
#include <mpit/mpi_t/functions.def>

    implementation mpi_implementation() const noexcept {
#ifdef MPI_VERSION
        return implementation_of(&MPI_Get_library_version);
#else
        return implementation_of(nullptr);
#endif
    }
};

// mpi_reader stores its results in structures with these members. The caller provides memory for the texts.
struct described_item {
    text name, description;
};
struct described_variable : described_item {
    int verbosity = -1, binding = -1, scope = -1, variable_class = -1, readonly = 0, continuous = 0, atomically = 0;
#ifdef MPI_DATATYPE_NULL
    MPI_Datatype type = MPI_DATATYPE_NULL;
#else
    MPI_Datatype type{};
#endif
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};
struct described_event : described_item {
    int verbosity = -1, binding = -1, element_count = 0;
    MPI_Datatype* datatypes = nullptr; // datatype of each element, or null if not needed
    MPI_Aint* displacements = nullptr; // displacement of each element in bytes, or null if not needed
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

inline constexpr int max_host_name = 1024;

// The output arguments of a query for the name and the description of an item.
struct text_arguments {
    char* name = nullptr;
    int* name_size = nullptr;
    char* description = nullptr;
    int* description_size = nullptr;
};

// Reads descriptions through a structure `Functions`, which may be a reference type. A member function returns the
// error code of the MPI, MPI_T_ERR_INVALID for an item without a name, or MPI_T_ERR_MEMORY if `allocate(bytes)` returns
// null. If the MPI returns an error, the reader uses none of the outputs.
template <class Functions> class mpi_reader {
public:
    constexpr explicit mpi_reader(Functions mpi = {}) noexcept : mpi_{mpi} {}

    // Returns the number of the MPI's items of one kind, such as control variables, or 0 after an error of the MPI.
    int count(kind item_kind) const {
        int total = 0, code = MPI_T_ERR_INVALID;
        if (item_kind == kind::control) code = mpi_.cvar_get_num(&total);
        if (item_kind == kind::performance) code = mpi_.pvar_get_num(&total);
        if (item_kind == kind::category) code = mpi_.category_get_num(&total);
        if constexpr (requires { mpi_.event_get_num(nullptr); }) {
            if (item_kind == kind::event) code = mpi_.event_get_num(&total);
            if (item_kind == kind::source) code = mpi_.source_get_num(&total);
        }
        return code == MPI_SUCCESS ? total : 0;
    }

    // Each query_ function calls the MPI once. The pointers to text buffers in `t` may be null.
    template <class Variable> int query_control(int index, Variable& v, const text_arguments& t) const {
        return mpi_.cvar_get_info(index, t.name, t.name_size, &v.verbosity, &v.type, &v.enumeration, t.description,
                                  t.description_size, &v.binding, &v.scope);
    }
    template <class Variable> int query_performance(int index, Variable& v, const text_arguments& t) const {
        return mpi_.pvar_get_info(index, t.name, t.name_size, &v.verbosity, &v.variable_class, &v.type, &v.enumeration,
                                  t.description, t.description_size, &v.binding, &v.readonly, &v.continuous,
                                  &v.atomically);
    }
    // On entry `count` is the size of the arrays for an event's elements. On return `count` is the number of elements.
    template <class Event> int query_event(int index, Event& e, int& count, const text_arguments& t) const {
        return mpi_.event_get_info(index, t.name, t.name_size, &e.verbosity, e.datatypes, e.displacements, &count,
                                   &e.enumeration, nullptr, t.description, t.description_size, &e.binding);
    }
    template <class Source> int query_source(int index, Source& s, const text_arguments& t) const {
        return mpi_.source_get_info(index, t.name, t.name_size, t.description, t.description_size, &s.ordering,
                                    &s.ticks_per_second, &s.max_ticks, nullptr);
    }
    int query_category(int index, const text_arguments& t) const {
        return mpi_.category_get_info(index, t.name, t.name_size, t.description, t.description_size, nullptr, nullptr,
                                      nullptr);
    }

    // control(), performance(), event(), source() and category() each read the complete description of one item.
    template <class Variable, class Allocate> int control(int index, Variable& v, Allocate&& allocate) const {
        return read(v, allocate, [&](const text_arguments& t) { return query_control(index, v, t); });
    }
    template <class Variable, class Allocate> int performance(int index, Variable& v, Allocate&& allocate) const {
        return read(v, allocate, [&](const text_arguments& t) { return query_performance(index, v, t); });
    }
    // After the first query `make_arrays(count)` provides arrays for the elements of the event, or leaves the pointers
    // null. `make_arrays` returns false if it fails.
    template <class Event, class Allocate, class MakeArrays>
    int event(int index, Event& e, Allocate&& allocate, MakeArrays make_arrays) const {
        bool has_arrays = false;
        const int code = read(e, allocate, [&](const text_arguments& t) -> int {
            int count = e.datatypes == nullptr ? 0 : e.element_count;
            if (const int status = query_event(index, e, count, t); status != MPI_SUCCESS) return status;
            if (has_arrays) return count == e.element_count ? int{MPI_SUCCESS} : int{MPI_T_ERR_MEMORY};
            e.element_count = count;
            has_arrays = count >= 0 && make_arrays(count);
            return has_arrays ? int{MPI_SUCCESS} : int{MPI_T_ERR_MEMORY};
        });
        // MPICH 4.0.2 does not initialize the enumeration handle of an event, and crashes if the handle is used. The
        // reader therefore discards an enumeration handle from MPICH, unless the handle has a tag of mpit.
        const auto tag = static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(e.enumeration) >> 56);
        const bool is_ours =
            tag == descriptor::handle_tag::enumeration || tag == descriptor::handle_tag::host_enumeration;
        if (mpi_.mpi_implementation() == implementation::mpich && !is_ours) e.enumeration = MPI_T_ENUM_NULL;
        return code;
    }
    template <class Source, class Allocate> int source(int index, Source& s, Allocate&& allocate) const {
        return read(s, allocate, [&](const text_arguments& t) { return query_source(index, s, t); });
    }
    template <class Category, class Allocate> int category(int index, Category& c, Allocate&& allocate) const {
        return read(c, allocate, [&](const text_arguments& t) { return query_category(index, t); });
    }

    // Calls `query` once for the name of an item and for attributes that are not texts. `buffer` receives the name.
    template <class Query> int name(char (&buffer)[max_host_name], Query query) const {
        int size = max_host_name;
        const int code = query(text_arguments{buffer, &size, nullptr, nullptr});
        return code != MPI_SUCCESS || size > 1 ? code : int{MPI_T_ERR_INVALID};
    }

    // Reads an enumeration. Calls `begin(name, count)` once, and then `item(index, value, name)` for each item. The
    // name of an item is empty if the MPI does not describe the item. Returns false if `begin` or `item` returns false,
    // or if the MPI has no enumeration with this handle.
    template <class Begin, class Item> bool enumeration(MPI_T_enum handle, Begin begin, Item item) const {
        char buffer[max_host_name] = "";
        int count = 0, size = sizeof buffer;
        if (handle == MPI_T_ENUM_NULL || mpi_.enum_get_info(handle, &count, buffer, &size) != MPI_SUCCESS ||
            count < 0 || !begin(terminated(buffer, sizeof buffer), count))
            return false;
        for (int i = 0; i < count; i++) {
            int value = 0;
            size = sizeof buffer;
            buffer[0] = '\0';
            const bool is_described = mpi_.enum_get_item(handle, i, &value, buffer, &size) == MPI_SUCCESS;
            if (!item(i, value, is_described ? terminated(buffer, sizeof buffer) : text{})) return false;
        }
        return true;
    }

    // Returns how many members of a kind, such as control variables, a category has, or 0 after an error of the MPI.
    int member_count(int category, kind item_kind) const {
        int controls = 0, performances = 0, categories = 0, events = 0;
        if (item_kind == kind::event) {
            if constexpr (requires { mpi_.category_get_num_events(0, nullptr); })
                if (mpi_.category_get_num_events(category, &events) != MPI_SUCCESS) return 0;
            return events;
        }
        if (mpi_.category_get_info(category, nullptr, nullptr, nullptr, nullptr, &controls, &performances,
                                   &categories) != MPI_SUCCESS)
            return 0;
        return item_kind == kind::control ? controls : item_kind == kind::performance ? performances : categories;
    }
    // Stores the indices of `count` members of a category, and -1 for members that the MPI counts but does not list.
    // Returns false after an error of the MPI.
    bool members(int category, kind item_kind, int count, int* indices) const {
        for (int i = 0; i < count; i++) indices[i] = -1;
        if (item_kind == kind::control) return mpi_.category_get_cvars(category, count, indices) == MPI_SUCCESS;
        if (item_kind == kind::performance) return mpi_.category_get_pvars(category, count, indices) == MPI_SUCCESS;
        if (item_kind == kind::category) return mpi_.category_get_categories(category, count, indices) == MPI_SUCCESS;
        if constexpr (requires { mpi_.category_get_events(0, 0, nullptr); })
            return mpi_.category_get_events(category, count, indices) == MPI_SUCCESS;
        return false;
    }

private:
    template <class Item, class Allocate, class Query> static int read(Item& item, Allocate&& allocate, Query query) {
        int name_length = 0, description_length = 0;
        const text_arguments lengths{nullptr, &name_length, nullptr, &description_length};
        if (const int code = query(lengths); code != MPI_SUCCESS) return code;
        if (name_length <= 1) return MPI_T_ERR_INVALID;
        if (description_length <= 0) description_length = 1;
        const auto name_size = static_cast<std::size_t>(name_length),
                   description_size = static_cast<std::size_t>(description_length);
        char* const buffer = allocate(name_size + description_size);
        if (buffer == nullptr) return MPI_T_ERR_MEMORY;
        char* const description = buffer + name_size;
        *buffer = *description = '\0';
        const text_arguments texts{buffer, &name_length, description, &description_length};
        if (const int code = query(texts); code != MPI_SUCCESS) return code;
        item.name = terminated(buffer, name_size);
        item.description = terminated(description, description_size);
        return item.name.length != 0 ? int{MPI_SUCCESS} : int{MPI_T_ERR_INVALID};
    }
    static text terminated(char* buffer, std::size_t size) noexcept {
        const auto length = static_cast<std::uint32_t>(strnlen(buffer, size - 1));
        buffer[length] = '\0';
        return {buffer, length};
    }

    Functions mpi_;
};

using linked_reader = mpi_reader<linked_functions>;

} // namespace host
} // namespace mpit
