// SPDX-License-Identifier: BSD-3-Clause
// Computes a fingerprint of the sizes of all structures that copies of mpit in different shared objects share. A copy
// of mpit with other structures, or with options that change the structures, has a separate registry.
//
//   if (registry->fingerprint == fingerprint_of_layout) …
#pragma once

#include <mpit/concurrency/shard_cell.hpp>
#include <mpit/event/subscription.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/variable/watched_level.hpp>
#include <mpit/version.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

template <class... Shared> struct structure_list {
    static constexpr std::uint64_t fingerprint() {
        std::uint64_t hash = static_cast<std::uint64_t>(version::layout);
        ((hash = core::folded_product(hash ^ (sizeof(Shared) << 8 | alignof(Shared)), 0x9e3779b97f4a7c15)), ...);
        return hash;
    }
};

// All structures and enumerations that copies of mpit share. A later version of mpit may replace spare words of the
// structures by new members. Any change beyond the spare words requires a new version::layout (docs/CONTRIBUTING.md).
using shared_structures = structure_list<
    process_registry, text_block, pending_tree, unresolved_value, setting, reported_name, registrar, tool_hook,
    report_list, report_list::block, core::arena::block, core::insert_only_table<record>::table_header, indexed_records,
    log_entry, record, enumeration_record, variable_record, event_record, source_record, category_record, membership,
    descriptor::item, descriptor::category, descriptor::settings_rules, descriptor::variable, descriptor::control,
    descriptor::control_operations, descriptor::performance, descriptor::performance_operations, descriptor::event,
    descriptor::event_operations, descriptor::source, descriptor::number_codec, core::enumeration_item,
    core::payload_member, core::shard_set, core::shard, core::shard_cell, core::instance_slot, internal::instance,
    internal::queued_instance, internal::instance_queue, internal::source_channel, internal::event_channel,
    internal::subscription, internal::callback_slot, internal::tool_calls, internal::watched_level, internal::mark,
    internal::payload_element, descriptor::provenance, rejected_setting, rejection_reply, verbosity, binding,
    mpit::scope, datatype, result, descriptor::apply_result, descriptor::announcement>;

inline constexpr std::uint64_t fingerprint_of_layout = shared_structures::fingerprint();

} // namespace registry
} // namespace mpit
