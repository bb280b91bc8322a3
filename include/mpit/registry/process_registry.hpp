// SPDX-License-Identifier: BSD-3-Clause
// The registry of the process: every category, variable, event, source and enumeration by index and by name. There is
// one, however many shared objects embed these headers, in pages that no shared object owns. Initially it is all zeros.
//
//   const int index = registry.index_of(kind::control, {"EAGER_LIMIT"});
#pragma once

#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/clock.hpp>
#include <mpit/registry/pending_trees.hpp>
#include <mpit/registry/publication_log.hpp>
#include <mpit/registry/report.hpp>
#include <mpit/registry/tool_hooks.hpp>

#include <climits>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// A value from outside the program for a name, also for one that no control variable has. Shared, because settings
// belong to the process: they are in memory that no shared object owns and are never freed, so that libraries loaded
// later, or again, take them as well. config/settings.hpp has the operations. Both texts and the place end in a null.
struct setting {
    text name, value;
    const char* place = "";  // a file and its line, for example; its own copy, whose address identifies the setting
    setting* next = nullptr; // an older one of its hash chain, perhaps with another name
    core::spare_words<1> spare;
    std::uint32_t key = 0;             // a hash of the name
    std::uint32_t sequence_number = 0; // in the order in which values were given, from 1
    mpit::origin origin{};
    mutable atomic<bool> is_known;    // a control variable has this name
    mutable atomic<bool> is_reported; // a report of its rejection was made
};

struct setting_store {
    static constexpr std::uint32_t chain_count = 256;
    atomic<setting*> chains[chain_count];
    atomic<std::uint32_t> count;
    atomic<std::uint32_t> order; // precedence of the sources, the weakest in the lowest byte; 0 for the default order

    // How often all variables were resolved; how often the precedence was changed; and up to which of these changes all
    // variables were resolved: while the last two differ, a resolution reads the environment again.
    atomic<std::uint32_t> resolutions, order_changes, resolved_order_changes;
};

// The topic of a report about a name.
enum class report_topic : std::uint8_t {
    category,    // the category has two descriptions
    deprecated,  // the deprecated variable has a value from outside
    duplicate,   // a name is declared twice; the name here is the text of the whole report
    files,       // the environment variable lists configuration files
    former_name, // the name is a former name of a control variable
    ignored,     // the variable has a value under another name in the environment
    place,       // not a report: the name is the place of a value, kept for mpit::given
    renamed,     // the variable has a value under this name, its former one
    variable,    // the variable has two descriptions or two verbosities
};
// A report that was made about a name. Shared, because no copy of the headers makes the same report again.
struct reported_name {
    reported_name* next = nullptr;
    text name;
    report_topic topic{};
};

// The indices of the library's own event sources, which precede those of all other sources.
inline constexpr int steady_source = 0, cycle_source = 1;

// The head of a block of memory for texts, which follow it. Shared, because a group of another copy of the headers may
// take a block from the free list of the registry; all members but the size are for the group that has the block.
struct text_block {
    text_block* next = nullptr;
    std::uint32_t size = 0, used = 0; // bytes, with those of this head
    bool is_referenced = false;       // a record refers to a text in it
    bool is_zeroed = false;           // its unused bytes are zero
};

// The beginning of a registry. It is the same in every layout: copies of the headers with other layouts access it.
struct registry_head {
    std::uint64_t fingerprint = 0;          // of its layout
    atomic<std::uint64_t> reported_layouts; // of other copies of the headers: a bit for each
    atomic<report_handler> reports_to;
};
static_assert(sizeof(registry_head) == 16 + sizeof(report_handler));

class process_registry : public registry_head {
public:
    // Called by the thread that creates the registry, before it is shared.
    void begin(std::uint64_t layout_fingerprint) noexcept {
        fingerprint = layout_fingerprint;
        shards.begin(MPIT_SHARD_CELLS);
        for (int i = 0; i < 2; i++) {
            own_sources[i].first_index = i;
            own_sources[i].max_ticks = INT64_MAX;
        }
    }

    // The number of published items of a kind: their indices are 0 to count() - 1.
    int count(kind item_kind) const noexcept { return log.count(item_kind); }

    // Returns the record of an index, or null if the index is invalid.
    record* at(kind item_kind, int index) const noexcept {
        const int end = count(item_kind);
        if (end < 0) __builtin_unreachable(); // so that one comparison suffices
        if (static_cast<std::uint32_t>(index) >= static_cast<std::uint32_t>(end)) return nullptr;
        record* const indexed = log.at(item_kind, index);
        if (indexed == nullptr) __builtin_unreachable(); // it was stored before it was counted
        return indexed;
    }
    category_record* category(int index) const noexcept {
        return static_cast<category_record*>(at(kind::category, index));
    }
    variable_record* variable(kind item_kind, int index) const noexcept {
        return static_cast<variable_record*>(at(item_kind, index));
    }
    // Returns the index of a name, or -1. Inlined into each MPI_T_*_get_index function, where the kind is a constant.
    [[gnu::always_inline]] inline int index_of(kind item_kind, text name,
                                               performance_class variable_class = {}) const noexcept {
        const record* existing = find_inline(item_kind, name, variable_class);
        if (existing == nullptr) return -1;
        const auto index = static_cast<std::uint32_t>(existing->index.load()); // -1 is above every count
        const int end = count(item_kind);
        if (end < 0) __builtin_unreachable();
        return index < static_cast<std::uint32_t>(end) ? static_cast<int>(index) : -1;
    }
    // Returns the record of a name, also if it is not published yet, or null.
    record* find(kind item_kind, text name, performance_class variable_class = {}) const noexcept {
        return find_inline(item_kind, name, variable_class);
    }
    // Returns the record of a name whose hash the caller has computed.
    record* find(kind item_kind, text name, performance_class variable_class, std::uint64_t hash) const noexcept {
        return names[static_cast<int>(item_kind)].find(
            hash, [&](const record& r) { return r.variable_class == variable_class && core::equal(r.name, name); });
    }
    // Returns the record with the name of `added`: `added` itself, or an earlier one; null if memory is exhausted.
    record* find_or_insert(record& added) noexcept {
        return names[static_cast<int>(added.item_kind)].insert(added, [&](const record& r) {
            return r.variable_class == added.variable_class && core::equal(r.name, added.name);
        });
    }

    // The number of the library's own event sources; cached, because to determine it takes microseconds in a VM.
    int own_source_count() const noexcept {
        if (own_source_count_.load() == 0) own_source_count_.store(core::has_cycle_counter() ? 2 : 1);
        return own_source_count_.load();
    }
    // The rate of the cycle counter; the first call takes a hundredth of a second.
    std::int64_t cycles_per_second() noexcept {
        if (cycle_rate_.load() == 0)
            cycle_rate_.compare_and_set(0, static_cast<std::int64_t>(core::measured_cycles_per_second()));
        return cycle_rate_.load();
    }

    // The number of direct members of a kind.
    static int member_count(const category_record& category, kind item_kind) noexcept {
        std::uint32_t sum = 0;
        for (const membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr;
             m = m->next.load())
            sum += m->count;
        return static_cast<int>(sum);
    }
    // Stores the indices of the first `capacity` members, or of fewer, in the order in which they were added.
    static void members(const category_record& category, kind item_kind, int capacity, int* indices) noexcept {
        for (const membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr && capacity > 0;
             m = m->next.load()) {
            const int count = static_cast<int>(m->count) < capacity ? static_cast<int>(m->count) : capacity,
                      first = m->first_index.load();
            for (int i = 0; i < count; i++) indices[i] = first >= 0 ? first + i : m->members[i]->index.load();
            indices += count;
            capacity -= count;
        }
    }
    // Returns the first category, by index and from `start` on, that directly contains a member, or null. Most members
    // are in one category, to which their record refers: only a member of several costs a walk.
    const category_record* parent_category(const record& member, int start = 0) const noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) return nullptr;
        if (!member.has_several_parents.load()) return first->parent->index.load() >= start ? first->parent : nullptr;
        for (int index = start, end = count(kind::category); index < end; index++)
            if (category(index)->holds(member)) return category(index);
        return nullptr;
    }
    // The number of changes of categories, at most INT_MAX.
    int update_number() noexcept {
        const std::int64_t updates = log.updates();
        return updates < INT_MAX ? static_cast<int>(updates) : INT_MAX;
    }

    core::arena memory; // for everything in the registry
    atomic<reported_name*> reported_names;
    atomic<text_block*> unused_texts;         // the free list of text blocks (registry/text_blocks.hpp)
    atomic<std::uint32_t> has_adopted_values; // adopted variables have taken values from outside

private:
    mutable atomic<int> own_source_count_; // shared by all copies: sources of libraries have the indices behind it
    atomic<std::int64_t> cycle_rate_;      // shared, so that every tool gets the same rate

public:
    alignas(64) publication_log log;
    core::insert_only_table<record> names[kind_count]; // by kind; also of records that are not published yet
    core::shard_set shards;
    pending_tree_list pending_trees;
    tool_hook_list tool_hooks;
    internal::source_channel own_sources[2]; // of events that name no source
    setting_store settings;
    core::spare_words<29> spare; // to the end of a page

private:
    [[gnu::always_inline]] inline record* find_inline(kind item_kind, text name,
                                                      performance_class variable_class) const noexcept {
        const auto has_class = [item_kind, variable_class](const record& r) {
            return item_kind != kind::performance || r.variable_class == variable_class;
        };
        return core::find_by_name(names[static_cast<int>(item_kind)], name, hash_seed(item_kind, variable_class),
                                  has_class, [&] { return find_general(item_kind, name, variable_class); });
    }
    // The general path, for names that the inlined fast path of core::find_by_name() cannot decide.
    [[gnu::noinline]] record* find_general(kind item_kind, text name, performance_class variable_class) const noexcept {
        return core::find_general_by_name(names[static_cast<int>(item_kind)], name,
                                          hash_seed(item_kind, variable_class),
                                          [=](const record& r) { return r.variable_class == variable_class; });
    }
};

} // namespace registry
} // namespace mpit
