// SPDX-License-Identifier: BSD-3-Clause
// Assigns cells in the thread shards to the sharded counters of a library at its load, even without a tool.
//
//   assign_shard_cells(registry, variable);
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

inline void assign_shard_cells(descriptor::performance& variable, std::uint32_t first) noexcept {
    variable.shard_cell.store(first);
    if (variable.operations->assign_cells != nullptr) variable.operations->assign_cells(variable, first);
}

// If several threads assign cells to one variable at once, the variable uses the cells of the first thread.
inline void assign_shard_cells(process_registry& registry, descriptor::performance& variable) noexcept {
    const descriptor::performance_operations& operations = *variable.operations;
    if (operations.assign_cells == nullptr || variable.count == 0) return;
    const std::uint32_t count = variable.count + operations.cells_beside;
    std::uint32_t first = registry.shards.take_cells(count), existing = core::no_shard_cell;
    if (!variable.shard_cell.compare_exchange(existing, first)) first = existing;
    assign_shard_cells(variable, first);
}

} // namespace registry
} // namespace mpit
