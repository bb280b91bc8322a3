// SPDX-License-Identifier: BSD-3-Clause
// Records: the registry's entry for each declaration, in memory that no shared object owns. Members that are not atomic
// are written before the record is published and never change: neither over init/finalize epochs of the tool interface
// nor when the library of the declaration is unloaded.
//
//   registry::variable_record& r = …;  r.name;  r.index.load();
#pragma once

#include <mpit/core/hash.hpp>
#include <mpit/event/channel.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;
using descriptor::kind;
using descriptor::kind_count;

// The seed of a name's hash: items of different kinds and performance variables of different classes may share names.
constexpr std::uint64_t hash_seed(kind item_kind, performance_class variable_class) noexcept {
    return static_cast<std::uint64_t>(item_kind) * performance_class_count + static_cast<std::uint64_t>(variable_class);
}
inline std::uint64_t name_hash(kind item_kind, text name, performance_class variable_class = {}) noexcept {
    return core::hash(name, hash_seed(item_kind, variable_class));
}

struct membership;

// Shared, because the copy of the headers that publishes a tree writes it and every copy that serves a tool reads it.
// Derived classes have no spare words of their own; their first members lie in the padding at its end.
struct record {
    std::uint64_t hash = 0; // of the name; a table of names that grows moves the record by it
    text name;
    text description;
    const char* owner = "";                     // the tree that declared it first, for reports
    atomic<const membership*> first_membership; // the one that was linked first; null before
    core::spare_words<1> spare;
    atomic<int> index{-1}; // the index that tools see; -1 until the record is published
    kind item_kind{};
    performance_class variable_class{};
    atomic<bool> has_several_parents; // it is a member of more than one category
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
    // Each element has a cell in every thread shard, the same ones again when the library is loaded again.
    bool is_in_shards = false;
    std::uint32_t first_shard_cell = 0;
    std::uint32_t count = 1;               // of elements
    atomic<std::uint32_t> incarnation;     // unloads and reloads of its declaration; even while one is loaded
    atomic<descriptor::variable*> live;    // null while the library that declared it is not loaded
    atomic<descriptor::item*> declaration; // the declaration that has the record, also before it is ready for use
    enumeration_record* enumeration = nullptr;

    bool is_incarnated() const noexcept { return incarnation.load() % 2 == 0; }
};

// Raising the event finds its registrations in the channel, which stays, as the record, when the library is unloaded.
struct event_record : variable_record {
    internal::event_channel channel;
};

struct source_record : record {
    mpit::ordering ordering{};
    std::int64_t ticks_per_second = 0;
    atomic<descriptor::source*> live; // null while the library that declared it is not loaded
    internal::source_channel channel; // stays when the library is unloaded
};

struct category_record : record {
    atomic<membership*> members[descriptor::member_kind_count]; // a list for each kind
    // A membership at or near the end of each list, where an append begins to walk; null before the first append.
    atomic<membership*> near_end[descriptor::member_kind_count];

    // True if `member` is in this category itself.
    bool holds(const record& member) const noexcept;
    // True if `member` is in this category or in any category below it.
    bool holds_anywhere(const record& member) const noexcept;
};

// Members of one kind that one tree adds to a category; a category is added alone. Shared, because any copy of the
// headers may finish the publication of a tree, and each copy lists the members of categories.
struct membership {
    enum : std::uint8_t { undecided, accepted, refused };

    category_record* parent = nullptr;
    record* const* members = nullptr;
    membership* next_in_entry = nullptr;
    atomic<membership*> next; // in the list of the category, once it is accepted
    core::spare_words<1> spare;
    std::uint32_t count = 0;
    // The index of the first member if the indices are consecutive: listing them then reads no record. Otherwise -1.
    atomic<int> first_index{-1};
    kind item_kind{};
    atomic<std::uint8_t> decision;

    const category_record& child() const noexcept { return static_cast<const category_record&>(*members[0]); }
    bool would_close_cycle() const noexcept { return &child() == parent || child().holds_anywhere(*parent); }
    // Requires that all members have indices.
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
