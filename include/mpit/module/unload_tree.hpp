// SPDX-License-Identifier: BSD-3-Clause
// Takes a tree from the registry when its shared object is unloaded.
//
//   at_unloading(*registry, &unload_tree, &tree);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/module/unload.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/variable/object_lifetime.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The variables of the tree become inactive; their records keep all numbers and names.
[[gnu::cold]] inline void unregister(descriptor::category& category) noexcept {
    descriptor::for_each_item(category, [](descriptor::item& each) {
        record* const published = each.record.load();
        if (published == nullptr) return;
        if (each.item_kind == kind::source) {
            auto& source = static_cast<descriptor::source&>(each);
            static_cast<source_record*>(published)->live.replace(&source, nullptr);
            source.channel.store(nullptr); // it is registered anew if its group is published again
        } else if (auto& known = *static_cast<variable_record*>(published); known.declaration.load() == &each) {
            known.live.store(nullptr, core::sequential);
            if (known.is_incarnated()) known.incarnation.fetch_add(1);
            known.declaration.store(nullptr);
        }
        each.record.store(nullptr);
    });
}

// Runs when the shared object of a tree is unloaded by dlclose().
[[gnu::cold]] inline void unload_tree(void* of_this_module) noexcept {
    auto& tree = *static_cast<descriptor::category*>(of_this_module);
    process_registry* registry = known_registry.load();
    if (registry == nullptr) return;
    pending_tree* const here = registry->pending_trees.find(tree);
    if (here != nullptr) {
        registry->pending_trees.set_unloading(*here);
        const core::bounded_wait until_left;
        until_left.wait_while([&] { return here->publishing_threads.load(core::sequential) > 0; });
    }
    unregister(tree);
    const bool is_alone = core::wait_for_readers(registry->shards);
    if (is_alone) internal::announce(tree, binding::none, 0, descriptor::announcement::unloaded);
    if (here != nullptr) registry->pending_trees.remove(*here);
    if (!is_alone)
        report(registry->reports_to.load(),
               "a thread has looked at variables for a second while %s, which has %s, is being unloaded",
               words_for_module(), tree.name.characters);
}

} // namespace registry
} // namespace mpit
