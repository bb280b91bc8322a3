// SPDX-License-Identifier: BSD-3-Clause
// Registers a group of variables that are described at run time, as declared trees are: one tree for each round. The
// group is unregistered when it ends, or when its shared object is unloaded before.
//
//   dynamic_answer answer = register_group(group, place, [](const char* refused_name) { … });   end_group(group, place);
#pragma once

#include <mpit/dynamic/tree.hpp>
#include <mpit/module/registrar.hpp>

namespace mpit::inline v0_1 {

// The result for the variables that a group has added since its last publish(); `seen` and `refused` are numbers of
// variables.
struct [[nodiscard]] dynamic_answer {
    // MPI_T_ERR_INVALID_NAME if names are taken, by others or by variables of another type; MPI_T_ERR_MEMORY if
    // the next registration continues with all of them.
    result code = result::success;
    int seen = 0;     // by tools, from now on
    int refused = 0;  // because of their name
    int rejected = 0; // the first error code that the policy has answered for a value from outside; 0 for none
};

namespace MPIT_MODULE_LOCAL registry {

// A group with published variables. It is used again when its group has ended.
struct dynamic_place {
    atomic<internal::dynamic_tree*> group;
    dynamic_place* next = nullptr;
};
inline constinit atomic<dynamic_place*> groups_of_module{nullptr};

// Whether no reader of the variables is left.
[[gnu::cold]] inline bool unregister_group(process_registry& registry, internal::dynamic_tree& group) noexcept {
    const descriptor::category* any = nullptr;
    group.for_each_round([&](descriptor::category& root) {
        unregister(root);
        any = &root;
    });
    if (any == nullptr || core::wait_for_readers(registry.shards)) return true;
    report(registry.reports_to.load(), "a thread has looked at variables for a second while %s is being withdrawn",
           any->name.characters);
    return false;
}

// Runs when the shared object is unloaded by dlclose(): its groups that still live would leave functions behind.
[[gnu::cold]] inline void unregister_groups_of_module(void*) noexcept {
    process_registry* registry = the_registry();
    if (registry == nullptr) return;
    for (dynamic_place* place = groups_of_module.load(); place != nullptr; place = place->next)
        if (internal::dynamic_tree* group = place->group.load()) static_cast<void>(unregister_group(*registry, *group));
}

// Remembers a group for that moment; null without memory.
[[gnu::cold]] inline dynamic_place* place_for(process_registry& registry, internal::dynamic_tree& group) noexcept {
    for (dynamic_place* place = groups_of_module.load(); place != nullptr; place = place->next)
        if (place->group.replace(nullptr, &group)) return place;
    if (groups_of_module.load() == nullptr && !at_unloading(registry, &unregister_groups_of_module, nullptr))
        return nullptr;
    auto* made = registry.memory.make<dynamic_place>();
    if (made == nullptr) return nullptr;
    made->group.store(&group);
    made->next = groups_of_module.load();
    while (!groups_of_module.compare_exchange(made->next, made)) {}
    return made;
}

// Whether the record of its name is that of an item.
inline bool has_record(const descriptor::item& each, const record& there) noexcept {
    if (each.item_kind == kind::source) return static_cast<const source_record&>(there).live.load() == &each;
    return static_cast<const variable_record&>(there).declaration.load() == &each;
}

// Enters what was added in the present round. Calls `refused(name)` for each variable whose name is taken.
template <class Function>
[[gnu::cold]] dynamic_answer register_group(internal::dynamic_tree& group, dynamic_place*& place,
                                            const Function& refused) noexcept {
    internal::dynamic_category_item* root = group.present_round();
    if (root == nullptr) return {};
    process_registry* registry = the_registry();
    text_blocks& texts = root->memory.texts();
    if (registry != nullptr) texts.shorten(*registry);
    if (registry == nullptr || (place == nullptr && (place = place_for(*registry, group)) == nullptr))
        return {result::out_of_memory};
    if (!open_to_tools(*registry)) return {result::out_of_memory}; // what came before is before
    unregister(*root);                                             // what an registration without memory has left
    dynamic_answer answer;
    if (!publish_at_once(*registry, *root, place_of{root->name}, &texts)) answer.code = result::out_of_memory;
    answer.rejected = root->own_rules.first_code.exchange(0);
    descriptor::for_each_item(*root, [&](descriptor::item& each) {
        const record* there = each.record.load(); // of one that was published, without another look at its name
        if (there == nullptr) there = registry->find(each.item_kind, each.name, each.variable_class);
        const int number = there == nullptr ? -1 : there->number.load();
        const bool is_own = there != nullptr && has_record(each, *there);
        if (is_own) answer.seen += number >= 0 && number < registry->count(each.item_kind);
        else if (answer.code == result::success) answer.refused++, refused(each.name.characters);
    });
    if (answer.code != result::success) return answer;
    if (answer.refused != 0) answer.code = result::invalid_name;
    group.end_round();
    return answer;
}

// The part that a thread may use for ever; it is never freed.
inline constinit atomic<internal::dynamic_category_item*> rounds_in_use{nullptr};

// Unregisters a group and releases its memory. Returns false if a thread may still use that, which then stays: one that
// has read for a second, or this one, if a function of the group ends it.
[[gnu::cold]] inline bool end_group(internal::dynamic_tree& group, dynamic_place* place) noexcept {
    process_registry* registry = place == nullptr ? nullptr : the_registry();
    const bool is_alone =
        registry == nullptr || (unregister_group(*registry, group) && !core::is_this_thread_reading());
    if (place != nullptr) place->group.store(nullptr);
    internal::dynamic_category_item* rounds = group.end();
    if (is_alone) return internal::dynamic_tree::release(rounds), true;
    internal::dynamic_category_item* last = rounds;
    while (last->next_round != nullptr) last = last->next_round;
    last->next_round = rounds_in_use.load();
    while (!rounds_in_use.compare_exchange(last->next_round, rounds)) {}
    return false;
}

} // namespace registry
} // namespace mpit
