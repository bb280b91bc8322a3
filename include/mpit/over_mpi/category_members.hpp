// SPDX-License-Identifier: BSD-3-Clause
// Lists the members of each category as merged indices. A list begins with the members of the host MPI, in the order of
// the host MPI, and the members of mpit's registry follow. If the host MPI closes a plugin, the host MPI may remove
// members of a category. The list of the category keeps removed members.
//
//   discover_all();   members_of(category, kind::control).count()
#pragma once

#include <mpit/over_mpi/discovery.hpp>

#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

// A temporary array for the indices of a category's members. The array of a small category is on the stack.
class index_buffer {
public:
    explicit index_buffer(int count) noexcept
        : indices{count <= limit ? local_
                                 : static_cast<int*>(std::malloc(sizeof(int) * static_cast<unsigned>(count)))} {}
    ~index_buffer() {
        if (indices != local_) std::free(indices);
    }
    index_buffer(const index_buffer&) = delete;
    index_buffer& operator=(const index_buffer&) = delete;

private:
    static constexpr int limit = 256;
    int local_[limit];

public:
    int* const indices; // array of indices, or null if memory is exhausted
};

inline merged_members& members_of(merged_category& category, kind item_kind) noexcept {
    if (item_kind == kind::control) return category.controls;
    if (item_kind == kind::performance) return category.performances;
    return item_kind == kind::event ? category.events : category.categories;
}

// Adds new members to the lists of all categories. Only one thread at a time may call update().
class member_lists {
public:
    // Counts of the changes that can add members to categories. `both` is the sum of the update numbers of the host MPI
    // and of the registry. `registry` is the length of the registry's publication log.
    struct change_counts {
        std::int64_t both = 0;
        int registry = 0;
    };
    static change_counts present_changes() noexcept { return {changes_of_both(), registry().log.length()}; }
    // Returns true if the registry and, if `with_host` is set, the host MPI have not changed since the last update of
    // the lists.
    bool is_current(bool with_host) const noexcept {
        return with_host ? with_additions(changes_of_both()) == listed_both_.load()
                         : with_additions(registry().log.length()) == listed_own_.load();
    }
    // Returns a number that grows with each change of the lists.
    std::int64_t update_number() const noexcept { return listed_both_.load(); }

    // Adds new members to the lists. On return, the lists have all members that existed when `changes` was determined.
    void update(change_counts changes) noexcept {
        if (with_additions(changes.both) <= listed_both_.load()) return;
        for (int i = 0; i < the_indices.list(kind::category).count(); i++) {
            auto& category = static_cast<merged_category&>(*the_indices.list(kind::category).at(i));
            update(category, kind::control);
            update(category, kind::performance);
            update(category, kind::category);
            update(category, kind::event);
        }
        listed_own_.store(with_additions(changes.registry));
        listed_both_.store(with_additions(changes.both));
    }

private:
    static std::int64_t changes_of_both() noexcept {
        int host_updates = 0;
        if (!the_host.is_open() || the_host.category_changed == nullptr ||
            the_host.category_changed(&host_updates) != MPI_SUCCESS)
            host_updates = 0;
        return host_updates + registry().log.updates();
    }
    static std::int64_t with_additions(std::int64_t changes) noexcept { return changes + the_indices.additions(); }

    static void update(merged_category& category, kind item_kind) noexcept {
        merged_members& members = members_of(category, item_kind);
        for_each_host_member(category.host_index.load(), item_kind, [&](int index) { add(members, index); });
        for_each_own_member(category.own_index.load(), item_kind, [&](int index) { add(members, index); });
    }
    static void add(merged_members& members, int index) noexcept {
        if (!members.contains(index)) members.add(index, the_indices.host_items.memory);
    }
    template <class Visit> static void for_each_host_member(int host_index, kind item_kind, Visit visit) noexcept {
        if (host_index < 0 || (item_kind == kind::event && !the_host.has(function_group::categories_of_events))) return;
        const auto& reader = the_indices.host_items.reader;
        const int count = reader.member_count(host_index, item_kind);
        const index_buffer members{count};
        if (count <= 0 || members.indices == nullptr) return;
        if (!reader.members(host_index, item_kind, count, members.indices)) return;
        for (int i = 0; i < count; i++)
            if (const int index = the_indices.list(item_kind).index_of_host(members.indices[i]); index >= 0)
                visit(index);
    }
    template <class Visit> static void for_each_own_member(int own_index, kind item_kind, Visit visit) noexcept {
        const registry::category_record* record = registry().category(own_index);
        const int count = record == nullptr ? 0 : registry().member_count(*record, item_kind);
        const index_buffer members{count};
        if (count == 0 || members.indices == nullptr) return;
        for (int i = 0; i < count; i++) members.indices[i] = -1;
        registry().members(*record, item_kind, count, members.indices);
        for (int i = 0; i < count; i++)
            if (const int index = the_indices.list(item_kind).index_of_own(members.indices[i]); index >= 0)
                visit(index);
    }

    atomic<std::int64_t> listed_both_, listed_own_;
};

inline constinit member_lists the_members;

[[gnu::noinline]] inline void discover_all() noexcept {
    const member_lists::change_counts changes = member_lists::present_changes(); // later changes need a new update
    the_indices.discover(kind::control);
    the_indices.discover(kind::performance);
    the_indices.discover(kind::category);
    the_indices.discover(kind::event);
    the_indices.with_lock([&] { the_members.update(changes); });
}

} // namespace over_mpi
} // namespace mpit
