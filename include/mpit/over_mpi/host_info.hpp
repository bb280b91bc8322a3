// SPDX-License-Identifier: BSD-3-Clause
// What the host's queries return, read once and kept: an answer to a tool does not change when the host closes a
// plugin, and a host that fails later leaves no output unset.
//
//   host_variable* v = facts.control(7);   // null if the host answers an error
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/host/enumerations.hpp>
#include <mpit/over_mpi/merged_entries.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

class MPIT_MODULE_LOCAL host_info {
public:
    // The name, and the class of a performance variable, in a buffer of the caller; false if the host answers an error.
    static bool name_of_control(int host_number, char (&buffer)[longest_host_name]) noexcept {
        return read_name([&](int* size) {
            return the_host.cvar_get_info(host_number, buffer, size, nullptr, nullptr, nullptr, nullptr, nullptr,
                                          nullptr, nullptr);
        });
    }
    static bool binding_of_control(int host_number, int& bind) noexcept {
        return the_host.cvar_get_info(host_number, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &bind,
                                      nullptr) == MPI_SUCCESS;
    }
    static bool name_of_performance(int host_number, char (&buffer)[longest_host_name], int& variable_class) noexcept {
        return read_name([&](int* size) {
            return the_host.pvar_get_info(host_number, buffer, size, nullptr, &variable_class, nullptr, nullptr,
                                          nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        });
    }
    static bool name_of_event(int host_number, char (&buffer)[longest_host_name]) noexcept {
        return read_name([&](int* size) {
            return the_host.event_get_info(host_number, buffer, size, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr, nullptr, nullptr);
        });
    }
    static bool name_of_source(int host_number, char (&buffer)[longest_host_name]) noexcept {
        return read_name([&](int* size) {
            return the_host.source_get_info(host_number, buffer, size, nullptr, nullptr, nullptr, nullptr, nullptr,
                                            nullptr);
        });
    }
    static bool name_of_category(int host_number, char (&buffer)[longest_host_name]) noexcept {
        return read_name([&](int* size) {
            return the_host.category_get_info(host_number, buffer, size, nullptr, nullptr, nullptr, nullptr, nullptr);
        });
    }

    // Everything. Returns null if the host answers an error, gives no name, or there is no memory.
    host_variable* control(int host_number) noexcept {
        return make<host_variable>([&](host_variable& v, const text_buffers& buffers, MPI_T_enum& enumeration) {
            return the_host.cvar_get_info(host_number, buffers.name, buffers.name_size, &v.verbosity, &v.type,
                                          &enumeration, buffers.description, buffers.description_size, &v.binding,
                                          &v.scope);
        });
    }
    host_variable* performance(int host_number) noexcept {
        return make<host_variable>([&](host_variable& v, const text_buffers& buffers, MPI_T_enum& enumeration) {
            return the_host.pvar_get_info(host_number, buffers.name, buffers.name_size, &v.verbosity, &v.variable_class,
                                          &v.type, &enumeration, buffers.description, buffers.description_size,
                                          &v.binding, &v.readonly, &v.continuous, &v.atomically);
        });
    }
    host_event* event(int host_number) noexcept {
        return make<host_event>([&](host_event& e, const text_buffers& buffers, MPI_T_enum& enumeration) {
            int count = e.datatypes == nullptr ? 0 : e.element_count;
            const int code = the_host.event_get_info(host_number, buffers.name, buffers.name_size, &e.verbosity,
                                                     e.datatypes, e.displacements, &count,
                                                     enumeration_of_event(enumeration), nullptr,
                                                     buffers.description, buffers.description_size, &e.binding);
            if (code != MPI_SUCCESS) return code;
            const bool is_whole = e.datatypes == nullptr ? make_room(e, count) : count == e.element_count;
            return is_whole ? int{MPI_SUCCESS} : int{MPI_T_ERR_MEMORY};
        });
    }
    host_source* source(int host_number) noexcept {
        return make<host_source>([&](host_source& s, const text_buffers& buffers, MPI_T_enum&) {
            return the_host.source_get_info(host_number, buffers.name, buffers.name_size, buffers.description,
                                            buffers.description_size, &s.ordering, &s.ticks_per_second, &s.max_ticks,
                                            nullptr);
        });
    }
    merged_category* category(int host_number) noexcept {
        return make<merged_category>([&](merged_category&, const text_buffers& buffers, MPI_T_enum&) {
            return the_host.category_get_info(host_number, buffers.name, buffers.name_size, buffers.description,
                                              buffers.description_size, nullptr, nullptr, nullptr);
        });
    }

    // Returns false without memory, and the name as it was.
    bool append(text& target, text suffix) noexcept {
        const std::uint32_t length = target.length + suffix.length;
        auto* room = static_cast<char*>(memory.allocate(length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, target.characters, target.length);
        std::memcpy(room + target.length, suffix.characters, suffix.length);
        room[length] = '\0';
        target = {room, length};
        return true;
    }

    core::arena memory;
    host_enumerations enumerations;

private:
    template <class Ask> static bool read_name(Ask ask) noexcept {
        int size = longest_host_name;
        return ask(&size) == MPI_SUCCESS && size > 1;
    }
    struct text_buffers {
        char* name;
        int* name_size;
        char* description;
        int* description_size;
    };
    // Asks for the sizes of both texts and then for the texts.
    template <class Entry, class Ask> Entry* make(Ask ask) noexcept {
        int name_size = 0, size = 0;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        auto* made = memory.make<Entry>();
        if (made == nullptr || ask(*made, {nullptr, &name_size, nullptr, &size}, enumeration) != MPI_SUCCESS)
            return nullptr;
        if (name_size <= 1) return nullptr;
        if (size <= 0) size = 1;
        auto* room =
            static_cast<char*>(memory.allocate(static_cast<std::size_t>(name_size) + static_cast<std::size_t>(size)));
        if (room == nullptr) return nullptr;
        if (ask(*made, {room, &name_size, room + name_size, &size}, enumeration) != MPI_SUCCESS) return nullptr;
        made->name = ended(room, name_size);
        made->description = ended(room + name_size, size);
        made->is_of_host = true;
        if constexpr (requires { made->enumeration; }) made->enumeration = enumerations.handle_of(enumeration, memory);
        return made->name.length != 0 ? made : nullptr;
    }
    static text ended(char* buffer, int size) noexcept {
        if (size <= 0) return {};
        const auto length = static_cast<std::uint32_t>(strnlen(buffer, static_cast<std::size_t>(size) - 1));
        buffer[length] = '\0';
        return {buffer, length};
    }
    // For the elements of an event, whose number is known then.
    bool make_room(host_event& event, int count) noexcept {
        if (count < 0) return false;
        const auto size = static_cast<std::size_t>(count == 0 ? 1 : count);
        event.element_count = count;
        event.datatypes = static_cast<MPI_Datatype*>(memory.allocate(size * sizeof(MPI_Datatype)));
        event.displacements = static_cast<MPI_Aint*>(memory.allocate(size * sizeof(MPI_Aint)));
        return event.datatypes != nullptr && event.displacements != nullptr;
    }
};

} // namespace over_mpi
} // namespace mpit
