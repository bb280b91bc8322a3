// SPDX-License-Identifier: BSD-3-Clause
// Reads what an MPI_T describes: both texts of an item in two queries, of which the first returns their sizes; an
// enumeration item by item; the members of a category. The functions are those of any structure that has them under
// their names: of the host, or those of the linker.
//
//   described_variable v;   int code = linked_reader{}.control(7, v, [&](std::size_t bytes) { return room(bytes); });
#pragma once

#include <mpit/core/value.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/descriptor/variable.hpp>
#include <mpit/host/implementation.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

using core::text;
using descriptor::kind;

// The functions with which this shared object is linked, called by their names, so that one which is not called need
// not be there. A member whose function the mpi.h does not declare is none: before MPI-4.0 those of events.
struct linked_functions {
#define MPIT_T_FUNCTION(name, needs, group, parameters, ...)                                                           \
    template <class... Arguments> static auto name(Arguments... values) -> decltype(MPI_T_##name(values...)) {         \
        return MPI_T_##name(values...);                                                                                \
    }
#include <mpit/mpi_t/functions.def>

    implementation which() const noexcept {
#ifdef MPI_VERSION
        return implementation_of(&MPI_Get_library_version);
#else
        return implementation_of(nullptr);
#endif
    }
};

// What a reader stores, for callers that have no structure with these members of their own. The texts stand in the
// caller's room.
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
    MPI_Datatype* datatypes = nullptr; // one of each element, and its displacement; null if nobody asks for them
    MPI_Aint* displacements = nullptr;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

inline constexpr int longest_host_name = 1024;

// The output arguments for the two texts of a query.
struct text_arguments {
    char* name = nullptr;
    int* name_size = nullptr;
    char* description = nullptr;
    int* description_size = nullptr;
};

// `Functions` may be a reference. The functions return codes of the standard: that of the MPI, MPI_T_ERR_INVALID for an
// item without a name, and MPI_T_ERR_MEMORY where `room(bytes)` returns null. After an error no output of the MPI is
// used.
template <class Functions> class mpi_reader {
public:
    constexpr explicit mpi_reader(Functions mpi = {}) noexcept : mpi_{mpi} {}

    // How many items of a kind there are; 0 after an error.
    int count(kind item_kind) const {
        int number = 0, code = MPI_T_ERR_INVALID;
        if (item_kind == kind::control) code = mpi_.cvar_get_num(&number);
        if (item_kind == kind::performance) code = mpi_.pvar_get_num(&number);
        if (item_kind == kind::category) code = mpi_.category_get_num(&number);
        if constexpr (requires { mpi_.event_get_num(nullptr); }) {
            if (item_kind == kind::event) code = mpi_.event_get_num(&number);
            if (item_kind == kind::source) code = mpi_.source_get_num(&number);
        }
        return code == MPI_SUCCESS ? number : 0;
    }

    // One query, for an item of any kind; arguments of texts may be null.
    template <class Variable> int query_control(int number, Variable& v, const text_arguments& t) const {
        return mpi_.cvar_get_info(number, t.name, t.name_size, &v.verbosity, &v.type, &v.enumeration, t.description,
                                  t.description_size, &v.binding, &v.scope);
    }
    template <class Variable> int query_performance(int number, Variable& v, const text_arguments& t) const {
        return mpi_.pvar_get_info(number, t.name, t.name_size, &v.verbosity, &v.variable_class, &v.type, &v.enumeration,
                                  t.description, t.description_size, &v.binding, &v.readonly, &v.continuous,
                                  &v.atomically);
    }
    // `count` becomes the number of elements; before, it is the room of the arrays, if there are any.
    template <class Event> int query_event(int number, Event& e, int& count, const text_arguments& t) const {
        return mpi_.event_get_info(number, t.name, t.name_size, &e.verbosity, e.datatypes, e.displacements, &count,
                                   &e.enumeration, nullptr, t.description, t.description_size, &e.binding);
    }
    template <class Source> int query_source(int number, Source& s, const text_arguments& t) const {
        return mpi_.source_get_info(number, t.name, t.name_size, t.description, t.description_size, &s.ordering,
                                    &s.ticks_per_second, &s.max_ticks, nullptr);
    }
    int query_category(int number, const text_arguments& t) const {
        return mpi_.category_get_info(number, t.name, t.name_size, t.description, t.description_size, nullptr, nullptr,
                                      nullptr);
    }

    // Everything of one item.
    template <class Variable, class Room> int control(int number, Variable& v, Room&& room) const {
        return read(v, room, [&](const text_arguments& t) { return query_control(number, v, t); });
    }
    template <class Variable, class Room> int performance(int number, Variable& v, Room&& room) const {
        return read(v, room, [&](const text_arguments& t) { return query_performance(number, v, t); });
    }
    // Between the queries `make_room(count)` sets the arrays of the event, or leaves them null; false without memory.
    template <class Event, class Room, class MakeRoom>
    int event(int number, Event& e, Room&& room, MakeRoom make_room) const {
        bool has_room = false;
        const int code = read(e, room, [&](const text_arguments& t) -> int {
            int count = e.datatypes == nullptr ? 0 : e.element_count;
            if (const int asked = query_event(number, e, count, t); asked != MPI_SUCCESS) return asked;
            if (has_room) return count == e.element_count ? int{MPI_SUCCESS} : int{MPI_T_ERR_MEMORY};
            e.element_count = count;
            has_room = count >= 0 && make_room(count);
            return has_room ? int{MPI_SUCCESS} : int{MPI_T_ERR_MEMORY};
        });
        // MPICH 4.0.2 leaves the enumeration of an event undefined, and crashes in a query for its items; ours
        // have a tag.
        const auto tag = static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(e.enumeration) >> 56);
        const bool is_ours =
            tag == descriptor::handle_tag::enumeration || tag == descriptor::handle_tag::host_enumeration;
        if (mpi_.which() == implementation::mpich && !is_ours) e.enumeration = MPI_T_ENUM_NULL;
        return code;
    }
    template <class Source, class Room> int source(int number, Source& s, Room&& room) const {
        return read(s, room, [&](const text_arguments& t) { return query_source(number, s, t); });
    }
    template <class Category, class Room> int category(int number, Category& c, Room&& room) const {
        return read(c, room, [&](const text_arguments& t) { return query_category(number, t); });
    }

    // The name alone, in the caller's buffer, with whatever else `query(texts)` stores.
    template <class Query> int name(char (&buffer)[longest_host_name], Query query) const {
        int size = longest_host_name;
        const int code = query(text_arguments{buffer, &size, nullptr, nullptr});
        return code != MPI_SUCCESS || size > 1 ? code : int{MPI_T_ERR_INVALID};
    }

    // Calls `begin(name, count)`, and `item(index, value, name)` for each item, until one returns false. An item that
    // the MPI does not describe has no name. Returns false if they did, and for what is no enumeration of the MPI.
    template <class Begin, class Item> bool enumeration(MPI_T_enum handle, Begin begin, Item item) const {
        char buffer[longest_host_name] = "";
        int count = 0, size = sizeof buffer;
        if (handle == MPI_T_ENUM_NULL || mpi_.enum_get_info(handle, &count, buffer, &size) != MPI_SUCCESS ||
            count < 0 || !begin(ended(buffer, sizeof buffer), count))
            return false;
        for (int i = 0; i < count; i++) {
            int value = 0;
            size = sizeof buffer;
            buffer[0] = '\0';
            const bool is_there = mpi_.enum_get_item(handle, i, &value, buffer, &size) == MPI_SUCCESS;
            if (!item(i, value, is_there ? ended(buffer, sizeof buffer) : text{})) return false;
        }
        return true;
    }

    // How many members of a kind a category has, and their numbers in an array of that size, -1 for those that the MPI
    // counts and does not list. Returns 0, and false, after an error.
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
    bool members(int category, kind item_kind, int count, int* numbers) const {
        for (int i = 0; i < count; i++) numbers[i] = -1;
        if (item_kind == kind::control) return mpi_.category_get_cvars(category, count, numbers) == MPI_SUCCESS;
        if (item_kind == kind::performance) return mpi_.category_get_pvars(category, count, numbers) == MPI_SUCCESS;
        if (item_kind == kind::category) return mpi_.category_get_categories(category, count, numbers) == MPI_SUCCESS;
        if constexpr (requires { mpi_.category_get_events(0, 0, nullptr); })
            return mpi_.category_get_events(category, count, numbers) == MPI_SUCCESS;
        return false;
    }

private:
    template <class Item, class Room, class Query> static int read(Item& item, Room&& room, Query query) {
        int name_size = 0, size = 0;
        if (const int code = query(text_arguments{nullptr, &name_size, nullptr, &size}); code != MPI_SUCCESS)
            return code;
        if (name_size <= 1) return MPI_T_ERR_INVALID;
        if (size <= 0) size = 1;
        const auto name_room = static_cast<std::size_t>(name_size), description_room = static_cast<std::size_t>(size);
        char* const bytes = room(name_room + description_room);
        if (bytes == nullptr) return MPI_T_ERR_MEMORY;
        char* const description = bytes + name_room;
        *bytes = *description = '\0';
        if (const int code = query(text_arguments{bytes, &name_size, description, &size}); code != MPI_SUCCESS)
            return code;
        item.name = ended(bytes, name_room);
        item.description = ended(description, description_room);
        return item.name.length != 0 ? int{MPI_SUCCESS} : int{MPI_T_ERR_INVALID};
    }
    static text ended(char* buffer, std::size_t room) noexcept {
        const auto length = static_cast<std::uint32_t>(strnlen(buffer, room - 1));
        buffer[length] = '\0';
        return {buffer, length};
    }

    Functions mpi_;
};

using linked_reader = mpi_reader<linked_functions>;

} // namespace host
} // namespace mpit
