// What the host says of its variables and enumerations, read once and kept: so nothing that a tool was told changes when the
// host closes a plugin, and a host that fails later leaves no output unset.
//
//   host_variable* v = facts.control(7);   // null where the host answers an error
#pragma once

#include <mpit/stack/host.hpp>
#include <mpit/stack/merged_numbers.hpp>

namespace mpit::inline v0_1::stack {

// A scope for control variables; for performance variables the three flags.
struct host_variable : merged_entry {
    text description;
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    int readonly = 0;
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // as tools see it
};

// The members of each kind that tools see, by their numbers; they are only added.
struct merged_member {
    int number = -1;
    atomic<merged_member*> next;
};
struct merged_members {
    atomic<merged_member*> first;
    merged_member* last = nullptr;
    atomic<int> count;
};

// A category of the host, of ours, or of both.
struct merged_category : merged_entry {
    text description;
    merged_members controls, performances, categories;
};

inline constexpr int longest_host_name = 1024;

// The handle of one of the host's enumerations is its number here behind a tag of its own.
inline constexpr std::uint64_t host_enumeration_tag = std::uint64_t{0xe2} << 56;

class MPIT_MODULE_LOCAL host_facts {
public:
    // The name, and the class of a performance variable, in a buffer of the caller; false where the host answers an error.
    static bool name_of_control(int host_number, char (&buffer)[longest_host_name]) noexcept {
        int size = longest_host_name;
        return the_host.cvar_get_info(host_number, buffer, &size, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr) == MPI_SUCCESS &&
               size > 1;
    }
    static bool binding_of_control(int host_number, int& bind) noexcept {
        return the_host.cvar_get_info(host_number, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &bind,
                                      nullptr) == MPI_SUCCESS;
    }
    static bool name_of_performance(int host_number, char (&buffer)[longest_host_name], int& in) noexcept {
        int size = longest_host_name;
        return the_host.pvar_get_info(host_number, buffer, &size, nullptr, &in, nullptr, nullptr, nullptr, nullptr,
                                      nullptr, nullptr, nullptr, nullptr) == MPI_SUCCESS &&
               size > 1;
    }
    static bool name_of_category(int host_number, char (&buffer)[longest_host_name]) noexcept {
        int size = longest_host_name;
        return the_host.category_get_info(host_number, buffer, &size, nullptr, nullptr, nullptr, nullptr, nullptr) ==
                   MPI_SUCCESS &&
               size > 1;
    }

    // Everything. Null where the host answers an error, gives no name, or there is no memory.
    host_variable* control(int host_number) noexcept {
        host_variable read;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        const auto ask = [&](char* name, int* name_size, char* description, int* size) {
            return the_host.cvar_get_info(host_number, name, name_size, &read.verbosity, &read.datatype, &enumeration,
                                          description, size, &read.bind, &read.scope) == MPI_SUCCESS;
        };
        return read_texts(ask, read.name, read.description) ? keep(read, enumeration) : nullptr;
    }
    host_variable* performance(int host_number) noexcept {
        host_variable read;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        const auto ask = [&](char* name, int* name_size, char* description, int* size) {
            return the_host.pvar_get_info(host_number, name, name_size, &read.verbosity, &read.in, &read.datatype,
                                          &enumeration, description, size, &read.bind, &read.readonly, &read.continuous,
                                          &read.atomically) == MPI_SUCCESS;
        };
        return read_texts(ask, read.name, read.description) ? keep(read, enumeration) : nullptr;
    }
    merged_category* category(int host_number) noexcept {
        text name, description;
        const auto ask = [&](char* name_buffer, int* name_size, char* buffer, int* size) {
            return the_host.category_get_info(host_number, name_buffer, name_size, buffer, size, nullptr, nullptr,
                                              nullptr) == MPI_SUCCESS;
        };
        if (!read_texts(ask, name, description)) return nullptr;
        auto* made = memory.make<merged_category>();
        if (made == nullptr) return nullptr;
        made->name = name;
        made->description = description;
        made->is_of_host = true;
        return made;
    }

    // One of the host's enumerations by the handle that tools see, or null.
    const index::enumeration_record* enumeration_of(MPI_T_enum handle) const noexcept {
        const std::uint64_t number = c::word_of(handle) ^ host_enumeration_tag;
        return number < enumeration_count_.load() ? enumerations_.get(static_cast<std::uint32_t>(number)) : nullptr;
    }

    base::arena memory;

private:
    // Asks for the sizes of both texts and then for the texts.
    template <class Ask> bool read_texts(Ask ask, text& name, text& description) noexcept {
        int name_size = 0, size = 0;
        if (!ask(nullptr, &name_size, nullptr, &size) || name_size <= 1) return false;
        if (size <= 0) size = 1;
        auto* room =
            static_cast<char*>(memory.allocate(static_cast<std::size_t>(name_size) + static_cast<std::size_t>(size)));
        if (room == nullptr || !ask(room, &name_size, room + name_size, &size)) return false;
        name = ended(room, name_size);
        description = ended(room + name_size, size);
        return name.length != 0;
    }
    static text ended(char* from, int size) noexcept {
        if (size <= 0) return {};
        const auto length = static_cast<std::uint32_t>(strnlen(from, static_cast<std::size_t>(size) - 1));
        from[length] = '\0';
        return {from, length};
    }
    host_variable* keep(const host_variable& read, MPI_T_enum enumeration) noexcept {
        auto* made = memory.make<host_variable>();
        if (made == nullptr) return nullptr;
        made->name = read.name;
        made->in = read.in;
        made->is_of_host = true;
        made->description = read.description;
        made->verbosity = read.verbosity;
        made->bind = read.bind;
        made->scope = read.scope;
        made->readonly = read.readonly;
        made->continuous = read.continuous;
        made->atomically = read.atomically;
        made->datatype = read.datatype;
        made->enumeration = handle_of(enumeration);
        return made;
    }

    // The handle that tools see for one of the host's; enumerations with the same items are one.
    MPI_T_enum handle_of(MPI_T_enum of_host) noexcept {
        if (of_host == MPI_T_ENUM_NULL || !the_host.has_enumerations()) return MPI_T_ENUM_NULL;
        auto* made = memory.make<index::enumeration_record>();
        if (made == nullptr || !read_enumeration(of_host, *made)) return MPI_T_ENUM_NULL;
        for (std::uint32_t i = 0; i < enumeration_count_.load(); i++)
            if (is_same(*enumerations_.get(i), *made)) return c::handle_of<MPI_T_enum>(host_enumeration_tag | i);
        const std::uint32_t number = enumeration_count_.load();
        atomic<index::enumeration_record*>* place = enumerations_.place(number);
        if (place == nullptr) return MPI_T_ENUM_NULL;
        place->store(made);
        enumeration_count_.store(number + 1);
        return c::handle_of<MPI_T_enum>(host_enumeration_tag | number);
    }
    bool read_enumeration(MPI_T_enum from, index::enumeration_record& to) noexcept {
        char buffer[longest_host_name];
        int count = 0, size = sizeof buffer;
        if (the_host.enum_get_info(from, &count, buffer, &size) != MPI_SUCCESS || count < 0) return false;
        if (!copy(buffer, size, to.name)) return false;
        auto* items = static_cast<base::enumeration_item*>(
            memory.allocate(static_cast<std::size_t>(count) * sizeof(base::enumeration_item)));
        for (int i = 0; i < count; i++) {
            if (items == nullptr) return false;
            int value = 0;
            text name;
            size = sizeof buffer;
            if (the_host.enum_get_item(from, i, &value, buffer, &size) != MPI_SUCCESS) size = 0;
            if (!copy(buffer, size, name)) return false;
            auto* item = new (&items[i]) base::enumeration_item;
            item->value = value;
            item->name = name;
        }
        to.items = items;
        to.count = count;
        to.hash = base::hash(to.name, static_cast<std::uint32_t>(count));
        return true;
    }
    bool copy(const char* from, int size, text& to) noexcept {
        if (size <= 1) return true;
        const auto length = static_cast<std::uint32_t>(strnlen(from, longest_host_name - 1));
        auto* room = static_cast<char*>(memory.allocate(length + 1));
        if (room == nullptr) return false;
        std::memcpy(room, from, length);
        room[length] = '\0';
        to = {room, length};
        return true;
    }
    static bool is_same(const index::enumeration_record& a, const index::enumeration_record& b) noexcept {
        if (a.hash != b.hash || a.count != b.count || !base::equal(a.name, b.name)) return false;
        for (int i = 0; i < a.count; i++)
            if (a.items[i].value != b.items[i].value || !base::equal(a.items[i].name, b.items[i].name)) return false;
        return true;
    }

    index::append_array<index::enumeration_record*> enumerations_;
    atomic<std::uint32_t> enumeration_count_;
};

} // namespace mpit::stack
