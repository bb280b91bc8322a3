// SPDX-License-Identifier: BSD-3-Clause
// The registry of the process finds every category, variable, event, event source and enumeration by index and by name.
// All copies of mpit in the process share one registry, in memory that no shared object owns. A new registry is all
// zeros.
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

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// A setting is a value from outside the program for the control variable with a given name. A setting may exist before
// any variable has this name. Settings are never freed and are in memory that no shared object owns. A library that is
// loaded after the settings were made therefore finds the settings. The functions on settings are in
// config/settings.hpp. A setting's name, value and place end in a null character.
struct setting {
    text name, value;
    const char* place = "";  // such as a file and a line number; the address identifies the setting
    setting* next = nullptr; // the next older setting of the hash chain, which may have another name
    core::spare_words<1> spare;
    std::uint32_t key = 0;             // a hash of the name
    std::uint32_t sequence_number = 0; // the position in the order of arrival, from 1
    mpit::origin origin{};
    mutable atomic<bool> is_known;    // true if a control variable has this name
    mutable atomic<bool> is_reported; // true if the rejection of this value was reported
};

struct setting_store {
    static constexpr std::uint32_t chain_count = 256;
    atomic<setting*> chains[chain_count];
    atomic<std::uint32_t> count;
    atomic<std::uint32_t> order; // precedence of the sources, weakest in the lowest byte; 0 for the default

    // `resolutions` counts the passes that gave all variables their values from the settings. `order_changes` counts
    // the changes of the precedence of setting sources. `resolved_order_changes` is the `order_changes` of the last
    // pass. While these two counts of changes differ, each pass reads the environment again.
    atomic<std::uint32_t> resolutions, order_changes, resolved_order_changes;
};

// The topic of a report to the user about a name.
enum class report_topic : std::uint8_t {
    category,    // the category has two descriptions
    deprecated,  // the deprecated variable has a value from outside the program
    duplicate,   // a name is declared twice; the stored name is the full text of the report
    files,       // the environment variable lists configuration files
    former_name, // the name is a former name of a control variable
    ignored,     // the variable has a value under another name in the environment
    place,       // no report; the stored name is the place of a value that mpit::given has copied
    renamed,     // the variable has a value under its former name, which is the stored name
    variable,    // the variable has two descriptions or two verbosity levels
};
// Notes that a report about a name was made. All copies of mpit share the notes, so that no report is repeated.
struct reported_name {
    reported_name* next = nullptr;
    text name;
    report_topic topic{};
};

// The indices of mpit's own event sources. The event sources that libraries declare have higher indices.
inline constexpr int steady_source = 0, cycle_source = 1;

// The header of a memory block for the texts of variables. All copies of mpit share text blocks, because a group of
// run-time variables may reuse a block that another copy has released to the registry's free list. While the block is
// in the free list, only `size` keeps its value.
struct text_block {
    text_block* next = nullptr;
    std::uint32_t size = 0, used = 0; // bytes, including this header
    bool is_referenced = false;       // true if a record refers to a text in the block
    bool is_zeroed = false;           // true if the unused bytes of the block are zero
};

// The first members of a registry. Other versions of mpit use these members, too, so the layout of the members never
// changes.
struct registry_head {
    std::uint64_t fingerprint = 0;          // fingerprint of the registry's layout
    atomic<std::uint64_t> reported_layouts; // reported layouts of other copies of mpit, one bit for each layout
    atomic<report_handler> reports_to;
};
static_assert(sizeof(registry_head) == 16 + sizeof(report_handler));

class process_registry : public registry_head {
public:
    // Initializes a registry in the thread that creates it, before the registry is visible to other threads.
    void begin(std::uint64_t layout_fingerprint) noexcept {
        fingerprint = layout_fingerprint;
        shards.begin(MPIT_SHARD_CELLS);
        for (int i = 0; i < 2; i++) {
            own_sources[i].first_index = i;
            own_sources[i].max_ticks = INT64_MAX;
        }
    }

    // Returns the number of published items of a kind. The items of this kind have the indices 0 to count() - 1.
    int count(kind item_kind) const noexcept { return log.count(item_kind); }

    // Returns the record of the item with this index, or null if the index is invalid.
    record* at(kind item_kind, int index) const noexcept {
        const int end = count(item_kind);
        if (end < 0) __builtin_unreachable(); // tells the compiler that one comparison suffices
        if (static_cast<std::uint32_t>(index) >= static_cast<std::uint32_t>(end)) return nullptr;
        record* const indexed = log.at(item_kind, index);
        if (indexed == nullptr) __builtin_unreachable(); // a record is stored before count() includes the record
        return indexed;
    }
    category_record* category(int index) const noexcept {
        return static_cast<category_record*>(at(kind::category, index));
    }
    variable_record* variable(kind item_kind, int index) const noexcept {
        return static_cast<variable_record*>(at(item_kind, index));
    }
    // Returns the index of the item with this name, or -1. The MPI_T_*_get_index functions inline index_of() with a
    // constant kind.
    [[gnu::always_inline]] inline int index_of(kind item_kind, text name,
                                               performance_class variable_class = {}) const noexcept {
        const record* existing = find_inline(item_kind, name, variable_class);
        if (existing == nullptr) return -1;
        const auto index = static_cast<std::uint32_t>(existing->index.load()); // -1 becomes the largest unsigned value
        const int end = count(item_kind);
        if (end < 0) __builtin_unreachable();
        return index < static_cast<std::uint32_t>(end) ? static_cast<int>(index) : -1;
    }
    // Returns the record of the item with this name, or null. The result can be a record that is not published yet.
    record* find(kind item_kind, text name, performance_class variable_class = {}) const noexcept {
        return find_inline(item_kind, name, variable_class);
    }
    // Returns the record of the item with this name, or null. The caller has computed the hash of the name.
    record* find(kind item_kind, text name, performance_class variable_class, std::uint64_t hash) const noexcept {
        return names[static_cast<int>(item_kind)].find(
            hash, [&](const record& r) { return r.variable_class == variable_class && core::equal(r.name, name); });
    }
    // Inserts a record by name. Returns the record that now has the name, or null if memory is exhausted.
    record* find_or_insert(record& added) noexcept {
        return names[static_cast<int>(added.item_kind)].insert(added, [&](const record& r) {
            return r.variable_class == added.variable_class && core::equal(r.name, added.name);
        });
    }

    // Returns the number of mpit's own event sources. The number is cached, because a count is slow in a VM.
    int own_source_count() const noexcept {
        if (own_source_count_.load() == 0) own_source_count_.store(core::has_cycle_counter() ? 2 : 1);
        return own_source_count_.load();
    }
    // Returns the rate of the processor's cycle counter in Hz. The first call measures the rate for about 10 ms.
    std::int64_t cycles_per_second() noexcept {
        if (cycle_rate_.load() == 0)
            cycle_rate_.compare_and_set(0, static_cast<std::int64_t>(core::measured_cycles_per_second()));
        return cycle_rate_.load();
    }

    // Returns the number of members of a kind that the category contains directly.
    static int member_count(const category_record& category, kind item_kind) noexcept {
        std::uint32_t sum = 0;
        for (const membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr;
             m = m->next.load())
            sum += m->count;
        return static_cast<int>(sum);
    }
    // Stores the indices of the first `capacity` members of a category, in the order in which the members were added.
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
    // Considers categories whose index is at least `start`, and returns the first one that directly contains the
    // member, or null. Only the search for a member of several categories walks over all categories.
    const category_record* parent_category(const record& member, int start = 0) const noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) return nullptr;
        if (!member.has_several_parents.load()) return first->parent->index.load() >= start ? first->parent : nullptr;
        for (int index = start, end = count(kind::category); index < end; index++)
            if (category(index)->holds(member)) return category(index);
        return nullptr;
    }
    // Returns the number of changes to categories, limited to INT_MAX.
    int update_number() noexcept {
        const std::int64_t updates = log.updates();
        return updates < INT_MAX ? static_cast<int>(updates) : INT_MAX;
    }

    core::arena memory; // memory for all data of the registry
    atomic<reported_name*> reported_names;
    atomic<text_block*> unused_texts;         // free list of text blocks (registry/text_blocks.hpp)
    atomic<std::uint32_t> has_adopted_values; // 1 if an adopted variable has a value from outside the program

private:
    mutable atomic<int> own_source_count_; // for all copies of mpit; also the first index of library sources
    atomic<std::int64_t> cycle_rate_;      // ticks per second, equal for every tool; 0 if not yet measured

public:
    alignas(64) publication_log log;
    core::insert_only_table<record> names[kind_count]; // records by name for each kind, including unpublished records
    core::shard_set shards;
    pending_tree_list pending_trees;
    tool_hook_list tool_hooks;
    internal::source_channel own_sources[2]; // channels for the events that name no event source
    setting_store settings;
    core::spare_words<29> spare; // padding to the end of a page

private:
    [[gnu::always_inline]] inline record* find_inline(kind item_kind, text name,
                                                      performance_class variable_class) const noexcept {
        const auto has_class = [item_kind, variable_class](const record& r) {
            return item_kind != kind::performance || r.variable_class == variable_class;
        };
        return core::find_by_name(names[static_cast<int>(item_kind)], name, hash_seed(item_kind, variable_class),
                                  has_class, [&] { return find_general(item_kind, name, variable_class); });
    }
    // Looks up a name that the inlined fast path core::find_by_name() cannot decide.
    [[gnu::noinline]] record* find_general(kind item_kind, text name, performance_class variable_class) const noexcept {
        return core::find_general_by_name(names[static_cast<int>(item_kind)], name,
                                          hash_seed(item_kind, variable_class),
                                          [=](const record& r) { return r.variable_class == variable_class; });
    }
};

} // namespace registry
} // namespace mpit
