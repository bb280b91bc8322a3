// SPDX-License-Identifier: BSD-3-Clause
// Assigns the cells of a tree's sums in every thread shard. A tree gets them when it is loaded, so that counting costs
// the same with and without a tool.
//
//   number_shard_cells(registry, variable);
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

inline void number_shard_cells(descriptor::performance& p, std::uint32_t first) noexcept {
    p.shard_cell.store(first);
    if (p.operations->is_in_shards) p.operations->number(p, first);
}

// Several threads may number one variable: the first one decides.
inline void number_shard_cells(process_registry& registry, descriptor::performance& p) noexcept {
    if (!p.operations->is_in_shards || p.count == 0) return;
    std::uint32_t first = registry.shards.take_cells(p.count), present = core::no_shard_cell;
    if (!p.shard_cell.compare_exchange(present, first)) first = present;
    number_shard_cells(p, first);
}

} // namespace registry
} // namespace mpit
