// SPDX-License-Identifier: BSD-3-Clause
// Assigns the cells of a tree's sums in every thread shard. A tree gets them when it is loaded, so that counting costs
// the same with and without a tool.
//
//   const bool has_cells = number_shard_cells(registry, variable);
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

inline void number_shard_cells(descriptor::performance& p, std::uint32_t first) noexcept {
    p.shard_cell.store(first);
    if (p.operations->in_shards != descriptor::shard_use::none) p.operations->number(p, first);
}

// Several threads may number one variable: the first one decides. Returns false without memory for a word on it; then the variable
// counts in one cell for all threads.
inline bool number_shard_cells(process_registry& registry, descriptor::performance& p) noexcept {
    const std::uint32_t count = p.count * static_cast<std::uint32_t>(p.operations->in_shards);
    if (count == 0) return true;
    auto* place = p.operations->is_in_tally ? registry.memory.make<core::tally_place>() : nullptr;
    if (p.operations->is_in_tally && place == nullptr) return false;
    std::uint32_t first = registry.shards.take_cells(count), there = core::no_shard_cell;
    if (place != nullptr) {
        place->first = first;
        registry.shards.keep(*place);
    }
    if (!p.shard_cell.compare_exchange(there, first)) first = there;
    number_shard_cells(p, first);
    return true;
}

} // namespace registry
} // namespace mpit
