// SPDX-License-Identifier: BSD-3-Clause
// The fingerprint of everything that shared objects with different copies of these headers share. A copy that was built
// with other structures, or with options that change them, has another fingerprint, and is not joined.
//
//   if (index->fingerprint == fingerprint_of_layout) …
#pragma once

#include <mpit/event/subscription.hpp>
#include <mpit/variable/watched_level.hpp>
#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL index {

template <class... Shared> constexpr std::uint64_t fingerprint_of() {
    std::uint64_t print = static_cast<std::uint64_t>(version::layout);
    ((print = base::folded_product(print ^ (sizeof(Shared) << 8 | alignof(Shared)), 0x9e3779b97f4a7c15)), ...);
    return print;
}

// Where a structure changes in a way that its size does not tell, version::layout must change.
inline constexpr std::uint64_t fingerprint_of_layout =
    fingerprint_of<process_index, arrival, second_look, given, once_said, keeper, report_list, base::arena::block,
                   base::insert_only_table<record>::places, numbered_records, batch, record, enumeration_record,
                   variable_record, event_record, source_record, category_record, membership, describe::item,
                   describe::category, describe::variable, describe::control, describe::control_operations,
                   describe::performance, describe::performance_operations, describe::event, describe::event_operations,
                   describe::source, base::enumeration_item, base::payload_member, declare::lane_set, declare::lane,
                   declare::tally_place, declare::instance_place, declare::instance, declare::queued_instance,
                   declare::instance_queue, declare::source_channel, declare::event_channel, declare::listener,
                   declare::callback_place, declare::tool_calls, declare::watched_level, declare::mark,
                   declare::payload_element, describe::provenance, verbosity, binding, mpit::scope, datatype, result,
                   describe::intake>();

} // namespace index
} // namespace mpit
