// SPDX-License-Identifier: BSD-3-Clause
// Reports lost settings. A setting is lost if a library assigns another value to its adopted variable, usually by an
// initializer that runs after the load of the tree of variables. No report is made for a library that calls
// mpit::resolve after the assignment, because mpit::resolve restores the settings.
//
//   report_lost_values(registry, reports);   // when a tool initializes the interface, and when settings are read
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/rejection_message.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

[[gnu::cold]] inline void report_lost_value(process_registry& registry, descriptor::control& variable,
                                            report_list& reports) noexcept {
    const descriptor::provenance current{variable.provenance_word.load()};
    if (!variable.is_adopted || current.word() == 0 || current.is_assigned() || current.origin() == origin::tool)
        return;
    if (variable.resolution.load() == descriptor::control::resolution_deferred || !is_overwritten(variable)) return;
    if (!variable.provenance_word.compare_and_set(current.word(), current.assigned().word())) return;
    message report;
    for_each_candidate(registry.settings, variable, true, [&](const candidate& setting) {
        if (!setting.is_current_value_of(variable)) return false;
        setting.append(report);
        return true;
    });
    if (report.length() == 0) report.append("a setting");
    report.append(" is not in effect: the library has assigned ");
    append_value(variable, report);
    report.append(" to ");
    report.append_escaped(variable.name, 256);
    report.append(" after it was loaded; to keep the setting, call mpit::resolve after the assignment, or use a "
                  "constant initializer");
    reports.add(report);
}

// Reports settings that a library has overwritten. Each setting is reported at most once.
[[gnu::cold]] inline void report_lost_values(process_registry& registry, report_list& reports) noexcept {
    if (registry.has_adopted_values.load() == 0) return;
    const core::read_guard guard; // prevents that the library of a variable is unloaded meanwhile
    registry.pending_trees.each([&](pending_tree& pending) {
        if (pending.state.load(core::seq_cst) != pending_tree::pending) return;
        descriptor::for_each_item(*pending.tree.load(), descriptor::item_visit{[&](descriptor::item& item) {
            if (item.item_kind == kind::control)
                report_lost_value(registry, static_cast<descriptor::control&>(item), reports);
        }});
    });
    for (int i = 0, end = registry.count(kind::control); i < end; i++)
        if (auto* live =
                static_cast<descriptor::control*>(registry.variable(kind::control, i)->live.load(core::seq_cst)))
            report_lost_value(registry, *live, reports);
}
// Reports overwritten settings to the report handler, which may block. The caller holds no lock and no read guard.
[[gnu::cold]] inline void report_lost_values(process_registry& registry) noexcept {
    report_list reports;
    report_lost_values(registry, reports);
    reports.send(registry.reports_to.load());
}

} // namespace registry
} // namespace mpit
