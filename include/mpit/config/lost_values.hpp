// SPDX-License-Identifier: BSD-3-Clause
// Reports settings that are no longer in the storage of an adopted variable, because its library has assigned another
// value, mostly in an initializer that ran after the tree was loaded. Trees that mpit::resolve will be called for are
// not reported.
//
//   report_lost_values(registry, reports);   // when a tool initializes, or values are taken
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/rejection_message.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

[[gnu::cold]] inline void report_lost_value(process_registry& registry, descriptor::control& variable,
                                            report_list& reports) noexcept {
    const descriptor::provenance held{variable.provenance_word.load()};
    if (!variable.is_adopted || held.word() == 0 || held.is_assigned() || held.origin() == origin::tool) return;
    if (variable.resolution.load() == descriptor::control::resolved_later || !is_overwritten(variable)) return;
    if (!variable.provenance_word.replace(held.word(), held.assigned().word())) return;
    message said;
    each_candidate(registry.settings, variable, true, [&](const candidate& each) {
        if (!each.is_held_by(variable)) return false;
        each.append(said);
        return true;
    });
    if (said.length() == 0) said.append("a value from outside");
    said.append(" is not in effect: the library has assigned ");
    append_value(variable, said);
    said.append(" to ");
    said.append_escaped(variable.name, 256);
    said.append(
        " after it was loaded; mpit::resolve after that, or a constant initializer, keeps the value from outside");
    reports.add(said);
}

// Each value that is lost is said once.
[[gnu::cold]] inline void report_lost_values(process_registry& registry, report_list& reports) noexcept {
    if (registry.has_adopted_values.load() == 0) return;
    const core::read_guard guard; // nothing of it is unloaded meanwhile
    registry.pending_trees.each([&](pending_tree& a) {
        if (a.state.load(core::sequential) != pending_tree::pending) return;
        descriptor::for_each_item(*a.tree.load(), descriptor::item_visit{[&](descriptor::item& each) {
            if (each.item_kind == kind::control)
                report_lost_value(registry, static_cast<descriptor::control&>(each), reports);
        }});
    });
    for (int i = 0, end = registry.count(kind::control); i < end; i++)
        if (auto* live =
                static_cast<descriptor::control*>(registry.variable(kind::control, i)->live.load(core::sequential)))
            report_lost_value(registry, *live, reports);
}
// The same, and sends the reports. To be called when nothing is held.
[[gnu::cold]] inline void report_lost_values(process_registry& registry) noexcept {
    report_list reports;
    report_lost_values(registry, reports);
    reports.send(registry.reports_to.load());
}

} // namespace registry
} // namespace mpit
