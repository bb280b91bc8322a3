// SPDX-License-Identifier: BSD-3-Clause
// Unregisters a tree of variables when its shared object is unloaded.
//
//   at_unloading(*registry, &unload_tree, &tree);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/module/unload.hpp> // IWYU pragma: keep
#include <mpit/registry/process_registry.hpp>
#include <mpit/variable/object_lifetime.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Makes the variables of a tree inactive. The registry's records of the variables stay, with all indices and names.
[[gnu::cold]] inline void unregister(descriptor::category& category) noexcept {
    descriptor::for_each_item(category, [](descriptor::item& item) {
        record* const published = item.record.load();
        if (published == nullptr) return;
        if (item.item_kind == kind::source) {
            auto& source = static_cast<descriptor::source&>(item);
            static_cast<source_record*>(published)->live.compare_and_set(&source, nullptr);
            source.channel.store(nullptr); // a group that is published again reconnects the source
        } else if (auto& variable = *static_cast<variable_record*>(published); variable.declaration.load() == &item) {
            variable.live.store(nullptr, core::seq_cst);
            if (variable.is_incarnated()) variable.incarnation.fetch_add(1);
            variable.declaration.store(nullptr);
        }
        item.record.store(nullptr);
    });
}

// Runs at dlclose(). First waits until no thread publishes the tree (Dekker pattern with publishing_guard). Then waits
// until no reader uses the variables of the tree (RCU-style grace period). Each wait for one reader, or for all
// threads that publish, lasts at most about one second.
[[gnu::cold]] inline void unload_tree(void* data) noexcept {
    auto& tree = *static_cast<descriptor::category*>(data);
    process_registry* registry = cached_registry.load();
    if (registry == nullptr) return;
    pending_tree* const slot = registry->pending_trees.find(tree);
    if (slot != nullptr) {
        registry->pending_trees.set_unloading(*slot);
        const core::bounded_wait until_no_publishers;
        until_no_publishers.wait_while([&] { return slot->publishing_threads.load(core::seq_cst) > 0; });
    }
    unregister(tree);
    const bool is_unused = core::wait_for_grace_period(registry->shards);
    if (is_unused) internal::announce(tree, binding::none, 0, descriptor::announcement::unloaded);
    if (slot != nullptr) registry->pending_trees.remove(*slot);
    if (!is_unused)
        report(registry->reports_to.load(),
               "a thread has read variables for a second while %s, which has %s, is unloaded; unload it when no thread "
               "reads them",
               display_name(), tree.name.characters);
}

} // namespace registry
} // namespace mpit
