// SPDX-License-Identifier: BSD-3-Clause
// The registry has a record for each declared item, such as a variable, in memory that no shared object owns. Members
// of a record that are not atomic are written before the record is published and then never change. Even a second
// initialization of the tool interface, or an unload of the library, does not change these members.
//
//   registry::variable_record& r = …;  r.name;  r.index.load();
#pragma once

#include <mpit/core/hash.hpp>
#include <mpit/event/channel.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;
using descriptor::kind;
using descriptor::kind_count;

// Returns the seed for the hash of a name. The seed depends on the kind and the class, because items of different
// kinds, and performance variables of different classes, may share a name.
constexpr std::uint64_t hash_seed(kind item_kind, performance_class variable_class) noexcept {
    return static_cast<std::uint64_t>(item_kind) * performance_class_count + static_cast<std::uint64_t>(variable_class);
}
inline std::uint64_t name_hash(kind item_kind, text name, performance_class variable_class = {}) noexcept {
    return core::hash(name, hash_seed(item_kind, variable_class));
}

struct membership;

// All copies of mpit share records, because one copy publishes a tree and writes the records, and every copy that a
// tool calls reads the records. The first members of a derived class use the tail padding of `record`.
struct record {
    std::uint64_t hash = 0; // hash of the name; a growing table moves the record by this hash
    text name;
    text description;
    const char* owner = "";                     // name of the tree that declared the item first, for reports
    atomic<const membership*> first_membership; // the membership that was linked first, or null
    core::spare_words<1> spare;
    atomic<int> index{-1}; // the index in the tool interface, or -1 before publication
    kind item_kind{};
    performance_class variable_class{};
    atomic<bool> has_several_parents; // true if several categories contain the item
};

struct enumeration_record : record {
    const core::enumeration_item* items = nullptr;
    int count = 0;
};

struct variable_record : record {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    datatype type{};
    mpit::scope scope{};
    bool readonly = false;
    bool continuous = false;
    bool atomically = false;
    // True if the variable's elements have cells in each thread shard. A reload of the library reuses the cells.
    bool is_in_shards = false;
    std::uint8_t cells_beside = 0; // performance_operations::cells_beside
    std::uint32_t first_shard_cell = 0;
    std::uint32_t count = 1;               // number of elements
    atomic<std::uint32_t> incarnation;     // number of unloads and reloads; even while the declaration is loaded
    atomic<descriptor::variable*> live;    // null while the declaring library is not loaded
    atomic<descriptor::item*> declaration; // the declaration that owns the record; stored before `live`
    enumeration_record* enumeration = nullptr;

    bool is_incarnated() const noexcept { return incarnation.load() % 2 == 0; }
};

// The record of an event. A raise of the event finds the registrations of tools in the record's channel. The record and
// the channel remain when the library of the event is unloaded.
struct event_record : variable_record {
    internal::event_channel channel;
};

struct source_record : record {
    mpit::ordering ordering{};
    std::int64_t ticks_per_second = 0;
    atomic<descriptor::source*> live; // null while the declaring library is not loaded
    internal::source_channel channel; // channel that stays when the library is unloaded
};

struct category_record : record {
    atomic<membership*> members[descriptor::member_kind_count]; // one list of memberships for each kind
    // For each list, a membership near its end, from which an append searches for the end, or null in a new list.
    atomic<membership*> near_end[descriptor::member_kind_count];

    // Returns true if the category directly contains `member`.
    bool holds(const record& member) const noexcept;
    // Returns true if the category contains `member` directly or through subcategories.
    bool holds_anywhere(const record& member) const noexcept;
};

// A membership adds members of one kind from one tree to a category. The membership of a subcategory has exactly one
// member. All copies of mpit share memberships, because any copy may finish a publication.
struct membership {
    enum : std::uint8_t { undecided, accepted, refused };

    category_record* parent = nullptr;
    record* const* members = nullptr;
    membership* next_in_entry = nullptr;
    atomic<membership*> next; // the next membership in the list of the category, once accepted
    core::spare_words<1> spare;
    std::uint32_t count = 0;
    // The index of the membership's first member, or -1 if the indices of the members are not consecutive.
    atomic<int> first_index{-1};
    kind item_kind{};
    atomic<std::uint8_t> decision;

    const category_record& child() const noexcept { return static_cast<const category_record&>(*members[0]); }
    bool would_close_cycle() const noexcept { return &child() == parent || child().holds_anywhere(*parent); }
    // Returns true if the members have consecutive indices. Requires that all members have indices.
    bool is_consecutive() const noexcept {
        for (std::uint32_t i = 1; i < count; i++)
            if (members[i]->index.load() != members[i - 1]->index.load() + 1) return false;
        return true;
    }
};

inline bool category_record::holds(const record& member) const noexcept {
    const membership* const first = member.first_membership.load();
    if (first == nullptr) return false;
    if (first->parent == this || !member.has_several_parents.load()) return first->parent == this;
    for (const membership* m = members[static_cast<int>(member.item_kind)].load(); m != nullptr; m = m->next.load())
        for (std::uint32_t i = 0; i < m->count; i++)
            if (m->members[i] == &member) return true;
    return false;
}
inline bool category_record::holds_anywhere(const record& member) const noexcept {
    if (holds(member)) return true;
    for (const membership* m = members[static_cast<int>(kind::category)].load(); m != nullptr; m = m->next.load())
        if (m->child().holds_anywhere(member)) return true;
    return false;
}

} // namespace registry
} // namespace mpit
