// SPDX-License-Identifier: BSD-3-Clause
// The descriptions of the variables, events, sources and categories of the host MPI. Each description is read once and
// stored. A tool receives the same complete description even after the host MPI has closed a plugin. For an item of the
// registry, only a merged_entry is stored, because the registry's record has the other attributes. A category may
// belong to both the host MPI and the registry.
//
//   host_variable* variable = host_items.control(7);   // null if the host returns an error
#pragma once

#include <mpit/host/enumerations.hpp>
#include <mpit/over_mpi/merged_indices.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using host::function_group;
using host::the_host;

struct host_variable : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int scope = 0;    // scope of a control variable
    int readonly = 0; // flag of a performance variable, like continuous and atomically
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // mpit's enumeration handle, which tools receive
};

struct host_event : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int element_count = 0;
    MPI_Datatype* datatypes = nullptr; // array with the datatype of each element
    MPI_Aint* displacements = nullptr; // array with the displacement of each element in bytes
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

struct host_source : merged_entry {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0;
    MPI_Count max_ticks = 0;
};

// The members of one kind in a category, as merged indices. Only one thread at a time adds members, and members are
// never removed. The release store of count_ in add() pairs with the acquire load in count(), so that a reader sees the
// indices of all counted members.
class merged_members {
public:
    int count() const noexcept { return count_.load(); }
    // Copies the indices of the first members of the category, at most `capacity` indices.
    void copy(int capacity, int* indices) const noexcept {
        int remaining = count() < capacity ? count() : capacity;
        for (const block* b = &first_; remaining > 0;
             b = b->next.load(), remaining -= block_size, indices += block_size)
            std::memcpy(indices, b->indices,
                        static_cast<std::size_t>(remaining < block_size ? remaining : block_size) * sizeof *indices);
    }
    bool contains(int index) const noexcept {
        const block* b = &first_;
        for (int i = 0; i < count(); i++) {
            if (i != 0 && i % block_size == 0) b = b->next.load();
            if (b->indices[i % block_size] == index) return true;
        }
        return false;
    }
    // Adds a member to the category, or does nothing if memory is exhausted.
    void add(int index, core::arena& memory) noexcept {
        const int count = count_.load(core::relaxed);
        if (count != 0 && count % block_size == 0) {
            auto* new_block = memory.make<block>();
            if (new_block == nullptr) return;
            last_->next.store(new_block);
            last_ = new_block;
        }
        last_->indices[count % block_size] = index;
        count_.store(count + 1);
    }

private:
    static constexpr int block_size = 12; // number of indices in a block, because most categories are small
    struct block {
        int indices[block_size]{};
        atomic<block*> next;
    };

    atomic<int> count_;
    block first_;
    block* last_ = &first_;
};

// A category of the host MPI, of the registry, or of both.
struct merged_category : merged_entry {
    merged_members controls, performances, categories, events;
};

class host_info {
public:
    // Reads all attributes of an item of the host MPI. Returns null if the host MPI returns an error or an empty name,
    // or if memory is exhausted.
    host_variable* control(int host_index) noexcept {
        return read<host_variable>([&](auto& item, auto room) { return reader.control(host_index, item, room); });
    }
    host_variable* performance(int host_index) noexcept {
        return read<host_variable>([&](auto& item, auto room) { return reader.performance(host_index, item, room); });
    }
    host_event* event(int host_index) noexcept {
        return read<host_event>([&](auto& item, auto room) {
            return reader.event(host_index, item, room, [&](int count) noexcept { return make_arrays(item, count); });
        });
    }
    host_source* source(int host_index) noexcept {
        return read<host_source>([&](auto& item, auto room) { return reader.source(host_index, item, room); });
    }
    merged_category* category(int host_index) noexcept {
        return read<merged_category>([&](auto& item, auto room) { return reader.category(host_index, item, room); });
    }

    // Appends `suffix` to a name. If memory is exhausted, returns false and does not change the name.
    bool append(text& name, text suffix) noexcept {
        const std::uint32_t length = name.length + suffix.length;
        auto* characters = static_cast<char*>(memory.allocate(length + 1));
        if (characters == nullptr) return false;
        std::memcpy(characters, name.characters, name.length);
        std::memcpy(characters + name.length, suffix.characters, suffix.length);
        characters[length] = '\0';
        name = {characters, length};
        return true;
    }

    const host::mpi_reader<const host::host_functions&> reader{the_host};
    core::arena memory;
    host::host_enumerations enumerations;

private:
    template <class Entry, class Query> Entry* read(Query query) noexcept {
        auto* entry = memory.make<Entry>();
        const auto room = [this](std::size_t bytes) noexcept { return static_cast<char*>(memory.allocate(bytes)); };
        if (entry == nullptr || query(*entry, room) != MPI_SUCCESS) return nullptr;
        entry->is_of_host = true;
        if constexpr (requires { entry->enumeration; })
            entry->enumeration = enumerations.handle_of(entry->enumeration, memory);
        return entry;
    }
    bool make_arrays(host_event& item, int count) noexcept {
        const auto size = static_cast<std::size_t>(count == 0 ? 1 : count);
        item.datatypes = static_cast<MPI_Datatype*>(memory.allocate(size * sizeof(MPI_Datatype)));
        item.displacements = static_cast<MPI_Aint*>(memory.allocate(size * sizeof(MPI_Aint)));
        return item.datatypes != nullptr && item.displacements != nullptr;
    }
};

} // namespace over_mpi
} // namespace mpit
