// SPDX-License-Identifier: BSD-3-Clause
// Unregisters a tree when its library is unloaded: its variables become inactive; their records keep all numbers and
// names.
//
//   unregister(registry, tree);   if (internal::wait_for_readers(registry.shards)) …   // no reader uses the tree any more
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

[[gnu::cold]] inline void unregister(process_registry& registry, descriptor::category& category) noexcept {
    descriptor::for_each_item(category, [](descriptor::item& each) {
        record* const published = each.record.load();
        if (published == nullptr) return;
        if (each.item_kind == kind::source) {
            auto& source = static_cast<descriptor::source&>(each);
            static_cast<source_record*>(published)->live.replace(&source, nullptr);
            source.channel.store(nullptr); // it is registered anew if its group is published again
        } else if (auto& known = *static_cast<variable_record*>(published); known.claimed.load() == &each) {
            known.live.store(nullptr, core::sequential);
            if (known.is_incarnated()) known.incarnation.fetch_add(1);
            known.claimed.store(nullptr);
        }
        each.record.store(nullptr);
    });
    registry.unregistrations.fetch_add(1); // at last, so that a reader of the number sees what was unregistered
}

} // namespace registry
} // namespace mpit
