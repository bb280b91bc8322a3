// SPDX-License-Identifier: BSD-3-Clause
// A list of all items of one kind, such as control variables. The list contains the items of the host MPI and the items
// of this process's registry. A merged index is a position in the list. Items are only added to the list, so that no
// index changes. In identifiers, `host` refers to the host MPI and `own` refers to the registry.
//
//   merged_entry* entry = controls.find("EAGER_LIMIT", 0);   entry->own_index.load()
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/registry/record.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::atomic;
using core::text;

struct merged_entry {
    std::uint64_t hash = 0;
    text name;
    text description;
    int variable_class = 0; // class of a performance variable, as a constant of mpi.h
    bool is_of_host = false;
    bool is_clash_reported = false;
    const registry::variable_record* record = nullptr; // record of a variable or an event of the registry
    atomic<int> index{-1};
    atomic<int> host_index{-1}; // -1 if the host MPI does not have the item
    atomic<int> own_index{-1};  // -1 if the registry does not have the item
};

// A list of items with merged indices. Any thread may read the list, and only one thread at a time may add items. The
// release store of count_ in add() pairs with the acquire load in count(), so that a reader sees all counted items.
class merged_indices {
public:
    int count() const noexcept { return count_.load(); }
    // Returns the entry of the item at a merged index, or null if no item has the index.
    merged_entry* at(int index) const noexcept {
        return index >= 0 && index < count() ? entries_.at(static_cast<std::uint32_t>(index)) : nullptr;
    }
    // Returns the entry of the item with a name and class, or null if no such item was added yet.
    merged_entry* find(text name, int variable_class) const noexcept {
        merged_entry* entry =
            core::find_by_name(names_, name, seed_of(variable_class),
                               [variable_class](const merged_entry& e) { return e.variable_class == variable_class; });
        return entry != nullptr && entry->index.load() < count() ? entry : nullptr;
    }
    // Returns the merged index of an item of the host MPI or the registry, or -1 if the item has no merged index yet.
    int index_of_host(int host_index) const noexcept { return merged_index(host_map_, host_index); }
    int index_of_own(int own_index) const noexcept { return merged_index(own_map_, own_index); }

    // Returns true if an item of the host MPI has a merged index or is excluded from the merged indices.
    bool is_mapped(int host_index) const noexcept { return host_map_.find(static_cast<unsigned>(host_index)) != 0; }

    // Assigns the next index to an entry, whose name must be new. Returns false if memory is exhausted.
    bool add(merged_entry& entry) noexcept {
        const int index = count_.load(core::relaxed);
        atomic<merged_entry*>* element = entries_.ensure(static_cast<std::uint32_t>(index));
        if (element == nullptr) return false;
        entry.hash = core::hash(entry.name, seed_of(entry.variable_class));
        entry.index.store(index);
        element->store(&entry);
        if (names_.insert(entry, [](const merged_entry&) { return false; }) == nullptr) return false;
        count_.store(index + 1);
        return true;
    }
    void map_host(merged_entry& entry, int host_index) noexcept {
        entry.host_index.store(host_index);
        store(host_map_, host_index, entry.index.load() + 1);
    }
    void map_own(merged_entry& entry, int own_index) noexcept {
        entry.own_index.store(own_index);
        store(own_map_, own_index, entry.index.load() + 1);
    }
    void exclude_host(int host_index) noexcept { store(host_map_, host_index, excluded); }
    void exclude_own(int own_index) noexcept { store(own_map_, own_index, excluded); }

private:
    static constexpr int excluded = -1;
    static std::uint64_t seed_of(int variable_class) noexcept { return static_cast<std::uint32_t>(variable_class); }

    // The elements of an index_map are merged indices plus one, so that the initial zero means "not mapped yet".
    using index_map = core::append_array<int>;
    static int merged_index(const index_map& map, int index) noexcept {
        const int element = index < 0 ? 0 : map.find(static_cast<std::uint32_t>(index));
        return element > 0 ? element - 1 : -1;
    }
    static void store(index_map& map, int index, int value) noexcept {
        if (atomic<int>* element = map.ensure(static_cast<std::uint32_t>(index))) element->store(value);
    }

    core::append_array<merged_entry*> entries_;
    core::insert_only_table<merged_entry> names_;
    index_map host_map_, own_map_;
    atomic<int> count_;
};

} // namespace over_mpi
} // namespace mpit
