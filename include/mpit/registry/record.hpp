// SPDX-License-Identifier: BSD-3-Clause
// Records: what the registry keeps of every declaration, in memory that no shared object owns. All but the last group
// of a record is written before its publication and never changes: not over epochs of the tool interface, and not when
// its library is unloaded.
//
//   registry::variable_record& r = …;  r.name;  r.number.load();
#pragma once

#include <mpit/core/hash.hpp>
#include <mpit/event/channel.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;
using descriptor::kind;
using descriptor::kind_count;

// Sets apart in one space of hashes what may share a name: kinds, and classes of performance variables.
constexpr std::uint64_t name_space(kind item_kind, performance_class variable_class) noexcept {
    return static_cast<std::uint64_t>(item_kind) * performance_class_count + static_cast<std::uint64_t>(variable_class);
}
inline std::uint64_t name_hash(kind item_kind, text name, performance_class variable_class = {}) noexcept {
    return core::hash(name, name_space(item_kind, variable_class));
}

struct membership;

// Shared, because the copy that publishes a tree writes it and every copy that serves a tool reads it. Derived classes
// have no spare words of their own, and their first members stand in the last word.
struct record {
    std::uint64_t hash = 0; // of the name, by which a growing table of names moves it
    text name;
    text description;
    const char* owner = "";                     // the tree that declared it, for reports
    atomic<const membership*> first_membership; // what made it a member of a category first
    core::spare_words<1> spare;
    atomic<int> number{-1}; // the index that tools see; -1 until it is published
    kind item_kind{};
    performance_class variable_class{};
    atomic<bool> has_several_parents; // categories
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
    // The cells in the shards, which the variable of a library has again when the library is loaded again: those of
    // each element.
    bool is_in_shards = false;
    std::uint32_t first_shard_cell = 0;
    std::uint32_t count = 1;            // of elements
    atomic<std::uint32_t> incarnation;  // how often it was unloaded and loaded again, an even number while it is loaded
    atomic<descriptor::variable*> live; // null while the library that declared it is not loaded
    atomic<descriptor::item*> declaration; // the declaration that has the record, also while it is not ready to be used
    enumeration_record* enumeration = nullptr;

    bool is_incarnated() const noexcept { return incarnation.load() % 2 == 0; }
};

// The channel is what raising finds; like the record it stays when the library is unloaded.
struct event_record : variable_record {
    internal::event_channel channel;
};

struct source_record : record {
    mpit::ordering ordering{};
    std::int64_t ticks_per_second = 0;
    atomic<descriptor::source*> live; // null while the library that declared it is not loaded
    internal::source_channel channel; // stays, like that of an event
};

struct category_record : record {
    atomic<membership*> members[descriptor::member_kind_count];
    // A membership in each list, at or near its end, where the search for the end begins; null before the first search.
    atomic<membership*> near_end[descriptor::member_kind_count];

    // Directly.
    bool holds(const record& wanted) const noexcept;
    // Directly, or in a category anywhere below.
    bool holds_anywhere(const record& wanted) const noexcept;
};

// Members of one kind that one tree adds to a category. Categories are added one by one. Shared, because any copy may
// finish the publication of a tree, and each lists the members of a category.
struct membership {
    enum : std::uint8_t { undecided, accepted, refused };

    category_record* parent = nullptr;
    record* const* members = nullptr;
    membership* next_in_batch = nullptr;
    atomic<membership*> next; // in the category, once it was accepted
    core::spare_words<1> spare;
    std::uint32_t count = 0;
    atomic<int> first_number{
        -1}; // if those of the members follow one another, so that a list of them reads no record; -1 otherwise
    kind item_kind{};
    atomic<std::uint8_t> decision;

    const category_record& child() const noexcept { return static_cast<const category_record&>(*members[0]); }
    bool closes_a_cycle() const noexcept { return &child() == parent || child().holds_anywhere(*parent); }
    // Of members that have numbers.
    bool is_consecutive() const noexcept {
        for (std::uint32_t i = 1; i < count; i++)
            if (members[i]->number.load() != members[i - 1]->number.load() + 1) return false;
        return true;
    }
};

inline bool category_record::holds(const record& wanted) const noexcept {
    const membership* const first = wanted.first_membership.load();
    if (first == nullptr) return false;
    if (first->parent == this || !wanted.has_several_parents.load()) return first->parent == this;
    for (const membership* m = members[static_cast<int>(wanted.item_kind)].load(); m != nullptr; m = m->next.load())
        for (std::uint32_t i = 0; i < m->count; i++)
            if (m->members[i] == &wanted) return true;
    return false;
}
inline bool category_record::holds_anywhere(const record& wanted) const noexcept {
    if (holds(wanted)) return true;
    for (const membership* m = members[static_cast<int>(kind::category)].load(); m != nullptr; m = m->next.load())
        if (m->child().holds_anywhere(wanted)) return true;
    return false;
}

} // namespace registry
} // namespace mpit
