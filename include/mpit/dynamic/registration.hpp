// SPDX-License-Identifier: BSD-3-Clause
// Registers the variables of a run-time group in the registry of the process, so that tools see the variables. Each
// call of publish() registers one tree of categories. The end of the group unregisters all trees. If the group's shared
// object is unloaded before the group ends, the unloading unregisters the trees.
//
//   dynamic_result outcome = register_group(group, entry, [](const char* name) { ... });   end_group(group, entry);
#pragma once

#include <mpit/dynamic/tree.hpp>
#include <mpit/module/registrar.hpp>

namespace mpit::inline v1_0 {

// The result of dynamic::publish() for the variables that were added since the last call.
struct [[nodiscard]] dynamic_result {
    // `code` is MPI_T_ERR_INVALID_NAME if other variables, or earlier variables of another type, have some of the
    // names. `code` is MPI_T_ERR_MEMORY if memory is exhausted. After MPI_T_ERR_MEMORY the next publish() tries again.
    result code = result::success;
    int seen = 0;           // number of added variables that tools can see
    int refused = 0;        // number of variables whose names are in use
    int rejection_code = 0; // first error code of the policy for a rejected value, or 0
};

namespace MPIT_MODULE_LOCAL registry {

// An entry of groups_of_module, which lists the run-time groups with published variables of this shared object. A later
// group reuses the entry of an ended group.
struct group_entry {
    atomic<internal::group_trees*> group;
    group_entry* next = nullptr;
};
inline constinit atomic<group_entry*> groups_of_module{nullptr};

// Unregisters all trees of a run-time group. Returns true if no reader of the variables is left.
[[gnu::cold]] inline bool unregister_group(process_registry& registry, internal::group_trees& group) noexcept {
    const descriptor::category* last_root = nullptr;
    group.for_each_tree([&](descriptor::category& root) {
        unregister(root);
        last_root = &root;
    });
    if (last_root == nullptr || core::wait_for_grace_period(registry.shards)) return true;
    report(registry.reports_to.load(),
           "a thread has read variables for a second while the group %s is ended; end it when no thread reads them",
           last_root->name.characters);
    return false;
}

// Runs when dlclose() unloads the shared object. Unregisters the run-time groups that have not ended. The descriptors
// of the groups contain pointers to functions of the unloaded shared object.
[[gnu::cold]] inline void unregister_groups_of_module(void*) noexcept {
    process_registry* registry = the_registry();
    if (registry == nullptr) return;
    for (group_entry* entry = groups_of_module.load(); entry != nullptr; entry = entry->next)
        if (internal::group_trees* group = entry->group.load()) static_cast<void>(unregister_group(*registry, *group));
}

// Adds a run-time group to groups_of_module. Returns null if memory is exhausted.
[[gnu::cold]] inline group_entry* add_group(process_registry& registry, internal::group_trees& group) noexcept {
    for (group_entry* entry = groups_of_module.load(); entry != nullptr; entry = entry->next)
        if (entry->group.compare_and_set(nullptr, &group)) return entry;
    if (groups_of_module.load() == nullptr && !at_unloading(registry, &unregister_groups_of_module, nullptr))
        return nullptr;
    auto* entry = registry.memory.make<group_entry>();
    if (entry == nullptr) return nullptr;
    entry->group.store(&group);
    entry->next = groups_of_module.load();
    while (!groups_of_module.compare_exchange(entry->next, entry)) {}
    return entry;
}

// Returns true if the record `named`, which has the same name as `item`, was created for `item`.
inline bool is_record_of(const descriptor::item& item, const record& named) noexcept {
    if (item.item_kind == kind::source) return static_cast<const source_record&>(named).live.load() == &item;
    return static_cast<const variable_record&>(named).declaration.load() == &item;
}

// Publishes the unpublished tree of a group. Calls `on_refused(name)` for each variable whose name is in use.
template <class Function>
[[gnu::cold]] dynamic_result register_group(internal::group_trees& group, group_entry*& entry,
                                            const Function& on_refused) noexcept {
    internal::described_category* root = group.open_tree();
    if (root == nullptr) return {};
    process_registry* registry = the_registry();
    text_blocks& texts = root->memory.texts();
    if (registry != nullptr) texts.shorten(*registry);
    if (registry == nullptr || (entry == nullptr && (entry = add_group(*registry, group)) == nullptr))
        return {result::out_of_memory};
    if (!open_to_tools(*registry)) return {result::out_of_memory}; // publishes the trees that were loaded before
    unregister(*root); // records of an earlier call that failed with MPI_T_ERR_MEMORY
    dynamic_result outcome;
    if (!publish_now(*registry, *root, owner_in_module{root->name}, &texts)) outcome.code = result::out_of_memory;
    outcome.rejection_code = root->own_rules.first_code.exchange(0);
    descriptor::for_each_item(*root, [&](descriptor::item& item) {
        const record* named = item.record.load(); // not null if published, which saves a search by name
        if (named == nullptr) named = registry->find(item.item_kind, item.name, item.variable_class);
        const int index = named == nullptr ? -1 : named->index.load();
        const bool is_own = named != nullptr && is_record_of(item, *named);
        if (is_own) outcome.seen += index >= 0 && index < registry->count(item.item_kind);
        else if (outcome.code == result::success) outcome.refused++, on_refused(item.name.characters);
    });
    if (outcome.code != result::success) return outcome;
    if (outcome.refused != 0) outcome.code = result::invalid_name;
    group.close_tree();
    return outcome;
}

// Trees that are never freed. The group of each tree has ended, but a thread may still use the variables.
inline constinit atomic<internal::described_category*> trees_in_use{nullptr};

// Unregisters a run-time group and frees the group's memory. If a thread may still use the memory, returns false and
// never frees the memory. Memory is in use if a reader has not finished within a second, or if a function of one of the
// group's variables calls end_group().
[[gnu::cold]] inline bool end_group(internal::group_trees& group, group_entry* entry) noexcept {
    process_registry* registry = entry == nullptr ? nullptr : the_registry();
    const bool is_unused = registry == nullptr || (unregister_group(*registry, group) && !core::is_in_read_section());
    if (entry != nullptr) entry->group.store(nullptr);
    internal::described_category* trees = group.end();
    if (is_unused) return internal::group_trees::release(trees), true;
    internal::described_category* last = trees;
    while (last->next_tree != nullptr) last = last->next_tree;
    last->next_tree = trees_in_use.load();
    while (!trees_in_use.compare_exchange(last->next_tree, trees)) {}
    return false;
}

} // namespace registry
} // namespace mpit
