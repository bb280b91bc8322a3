// SPDX-License-Identifier: BSD-3-Clause
// The descriptions of the host's items, which are read once and stored: results for a tool do not change when the host
// closes a plugin, and a host that fails later leaves no output unset. Items of the registry have only a merged_entry,
// and their other attributes are read from their records. A category may be both the host's and the registry's.
//
//   host_variable* variable = host_items.control(7);   // null if the host returns an error
#pragma once

#include <mpit/host/enumerations.hpp>
#include <mpit/over_mpi/merged_indices.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using host::function_group;
using host::the_host;

struct host_variable : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int scope = 0;    // of a control variable
    int readonly = 0; // of a performance variable, as the next two
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // the handle for tools
};

struct host_event : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int element_count = 0;
    MPI_Datatype* datatypes = nullptr; // an array with the type of each element, and one with its displacement
    MPI_Aint* displacements = nullptr;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

struct host_source : merged_entry {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0;
    MPI_Count max_ticks = 0;
};

// The merged indices of a category's members of one kind. Only one thread at a time adds members, and none removes any.
// The release store of count_ in add() pairs with the acquire load in count(): a reader sees all indices below it.
class merged_members {
public:
    int count() const noexcept { return count_.load(); }
    // Copies the first members, at most `capacity` of them.
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
    // Does nothing if memory is exhausted.
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
    static constexpr int block_size = 12; // most categories are small
    struct block {
        int indices[block_size]{};
        atomic<block*> next;
    };

    atomic<int> count_;
    block first_;
    block* last_ = &first_;
};

// A category of the host, of the registry, or of both.
struct merged_category : merged_entry {
    merged_members controls, performances, categories, events;
};

class host_info {
public:
    // Read all attributes of an item. Return null if the host returns an error or no name, or if memory is exhausted.
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

    // Appends to a name. Returns false if memory is exhausted; the name is then unchanged.
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
