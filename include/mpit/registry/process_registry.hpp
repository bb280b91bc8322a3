// SPDX-License-Identifier: BSD-3-Clause
// The registry of the process: every category, variable and enumeration by number and by name. There is one, however
// many shared objects embed these headers; it lives in pages that no shared object owns, and all zeros is its initial
// state.
//
//   const int number = registry.number_of(kind::control, {"EAGER_LIMIT"});
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

// A value from outside under a name, whether or not there is a variable of this name. Shared, because settings belong
// to the process: they live in memory that no shared object owns and are never freed, so that libraries loaded later,
// or again, take them as well. config/settings.hpp has the operations on them. Both texts and the place end in a null.
struct setting {
    text name, value;
    const char* place = "";  // its own, so that it tells this value from others
    setting* next = nullptr; // an older one of its chain, perhaps with another name
    core::spare_words<1> spare;
    std::uint32_t key = 0;    // of the name
    std::uint32_t number = 0; // in the order in which values were given, from 1
    mpit::origin source{};
    mutable atomic<bool> is_known;    // a control variable has asked for it
    mutable atomic<bool> is_reported; // that it was refused
};

struct setting_store {
    static constexpr std::uint32_t chain_count = 256;
    atomic<setting*> chains[chain_count];
    atomic<std::uint32_t> count;
    atomic<std::uint32_t> order; // of the sources, the weakest one in the lowest byte; 0 for the declared one

    // How often all variables were resolved; how often the order was changed, and up to which of these
    // times all variables have their values: otherwise the environment is asked again.
    atomic<std::uint32_t> resolutions, order_changes, resolved_order_changes;
};

// What is reported of a name.
enum class report_topic : std::uint8_t {
    category,    // the category has two descriptions
    deprecated,  // the variable has a value from outside
    duplicate,   // two declarations; the name is the whole line
    files,       // the variable of the environment names configuration files
    former_name, // it is that of a control variable
    ignored,     // the variable has a value under another name of the environment
    place,       // nothing: the text is kept for mpit::given
    renamed,     // the environment has the variable under this former name
    variable,    // the variable has two descriptions, or two verbosities
};
// Something that was said of a name. Shared, because whichever copy finds it again does not say it again.
struct reported_name {
    reported_name* next = nullptr;
    text name;
    report_topic topic{};
};

// The sources of the library itself have the first numbers.
inline constexpr int steady_source = 0, cycle_source = 1;

// Memory for texts, which follow it. Shared, because a group of another copy may use a block that is in the list of the
// registry; all but its size is for the group that has it.
struct text_block {
    text_block* next = nullptr;
    std::uint32_t size = 0, used = 0; // bytes, with those of this head
    bool is_referenced = false;       // a record refers to a text here
    bool is_zeroed = false;           // what was not used is zero
};

// The beginning of a registry. It is the same in every layout: copies of other layouts read and write it.
struct registry_head {
    std::uint64_t fingerprint = 0;          // of its layout
    atomic<std::uint64_t> reported_layouts; // of other copies of these headers: a bit for each
    atomic<report_handler> reports_to;
};
static_assert(sizeof(registry_head) == 16 + sizeof(report_handler));

class process_registry : public registry_head {
public:
    // Called by its maker, before it is shared.
    void begin(std::uint64_t layout) noexcept {
        fingerprint = layout;
        shards.begin(MPIT_SHARD_CELLS);
        for (int i = 0; i < 2; i++) {
            own_sources[i].first_number = i;
            own_sources[i].max_ticks = INT64_MAX;
        }
    }

    // How many there are; every number below it can be asked for.
    int count(kind item_kind) const noexcept { return log.count(item_kind); }

    // The record of a number, or null if there is none.
    record* at(kind item_kind, int number) const noexcept {
        const int all = count(item_kind);
        if (all < 0) __builtin_unreachable(); // so that one comparison suffices
        if (static_cast<std::uint32_t>(number) >= static_cast<std::uint32_t>(all)) return nullptr;
        record* const there = log.at(item_kind, number);
        if (there == nullptr) __builtin_unreachable(); // stored before it was counted
        return there;
    }
    category_record* category(int number) const noexcept {
        return static_cast<category_record*>(at(kind::category, number));
    }
    variable_record* variable(kind item_kind, int number) const noexcept {
        return static_cast<variable_record*>(at(item_kind, number));
    }
    // The number of a name, or -1 if there is none yet. Inline in each function of the standard, which knows the kind.
    [[gnu::always_inline]] inline int number_of(kind item_kind, text name,
                                                performance_class variable_class = {}) const noexcept {
        const record* found = find_inline(item_kind, name, variable_class);
        if (found == nullptr) return -1;
        const auto number = static_cast<std::uint32_t>(found->number.load()); // -1 is above every count
        const int all = count(item_kind);
        if (all < 0) __builtin_unreachable();
        return number < static_cast<std::uint32_t>(all) ? static_cast<int>(number) : -1;
    }
    record* find(kind item_kind, text name, performance_class variable_class = {}) const noexcept {
        return find_inline(item_kind, name, variable_class);
    }
    // The same with the hash of the name.
    record* find(kind item_kind, text name, performance_class variable_class, std::uint64_t hash) const noexcept {
        return names[static_cast<int>(item_kind)].find(
            hash, [&](const record& r) { return r.variable_class == variable_class && core::equal(r.name, name); });
    }
    // The record with the name of `fresh`: itself, or an earlier one; null without memory.
    record* find_or_insert(record& fresh) noexcept {
        return names[static_cast<int>(fresh.item_kind)].insert(fresh, [&](const record& r) {
            return r.variable_class == fresh.variable_class && core::equal(r.name, fresh.name);
        });
    }

    // How many sources are the library's own. The answer is kept, because virtual machines take microseconds for it.
    int own_source_count() const noexcept {
        if (own_source_count_.load() == 0) own_source_count_.store(core::has_cycle_counter() ? 2 : 1);
        return own_source_count_.load();
    }
    // The rate of the cycle counter; the first question takes a hundredth of a second.
    std::int64_t cycles_per_second() noexcept {
        if (cycle_rate_.load() == 0)
            cycle_rate_.replace(0, static_cast<std::int64_t>(core::measured_cycles_per_second()));
        return cycle_rate_.load();
    }

    // How many members of a kind a category holds directly.
    static int member_count(const category_record& category, kind item_kind) noexcept {
        std::uint32_t sum = 0;
        for (const membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr;
             m = m->next.load())
            sum += m->count;
        return static_cast<int>(sum);
    }
    // Stores the numbers of the first members, at most `room` of them, in the order in which they came.
    static void members(const category_record& category, kind item_kind, int room, int* numbers) noexcept {
        for (const membership* m = category.members[static_cast<int>(item_kind)].load(); m != nullptr && room > 0;
             m = m->next.load()) {
            const int count = static_cast<int>(m->count) < room ? static_cast<int>(m->count) : room,
                      first = m->first_number.load();
            for (int i = 0; i < count; i++) numbers[i] = first >= 0 ? first + i : m->members[i]->number.load();
            numbers += count;
            room -= count;
        }
    }
    // Of the categories that hold a member directly the first one whose number is not below `start`, or null. Most
    // members are in one category, which they know.
    const category_record* parent_category(const record& member, int start = 0) const noexcept {
        const membership* const first = member.first_membership.load();
        if (first == nullptr) return nullptr;
        if (!member.has_several_parents.load()) return first->parent->number.load() >= start ? first->parent : nullptr;
        for (int number = start, end = count(kind::category); number < end; number++)
            if (category(number)->holds(member)) return category(number);
        return nullptr;
    }
    // How often categories changed, up to the largest int.
    int update_number() noexcept {
        const std::int64_t updates = log.updates();
        return updates < INT_MAX ? static_cast<int>(updates) : INT_MAX;
    }

    core::arena memory; // for all that is in the registry
    atomic<reported_name*> reported_names;
    atomic<text_block*> unused_texts;         // of groups that have ended (registry/text_blocks.hpp)
    atomic<std::uint32_t> has_adopted_values; // adopted variables have taken values from outside

private:
    mutable atomic<int> own_source_count_; // all copies give the sources of libraries the numbers behind it
    atomic<std::int64_t> cycle_rate_;      // every tool is told the same one

public:
    alignas(64) publication_log log;
    core::insert_only_table<record> names[kind_count]; // of each kind, also of records that are not published yet
    core::shard_set shards;
    pending_tree_list pending_trees;
    tool_hook_list tool_hooks;
    internal::source_channel own_sources[2]; // of events that name none
    setting_store settings;
    core::spare_words<29> spare; // the rest of a page

private:
    [[gnu::always_inline]] inline record* find_inline(kind item_kind, text name,
                                                      performance_class variable_class) const noexcept {
        const auto fits = [item_kind, variable_class](const record& r) {
            return item_kind != kind::performance || r.variable_class == variable_class;
        };
        return core::find_by_name(names[static_cast<int>(item_kind)], name, name_space(item_kind, variable_class), fits,
                                  [&] { return find_at_length(item_kind, name, variable_class); });
    }
    [[gnu::noinline]] record* find_at_length(kind item_kind, text name,
                                             performance_class variable_class) const noexcept {
        return core::find_by_any_name(names[static_cast<int>(item_kind)], name, name_space(item_kind, variable_class),
                                      [=](const record& r) { return r.variable_class == variable_class; });
    }
};

} // namespace registry
} // namespace mpit
