// SPDX-License-Identifier: BSD-3-Clause
// Says which values from outside are no longer in the storage of an adopted variable, because its library has assigned
// another one: an initializer that ran after the tree was loaded, most often. Trees for which mpit::resolve will
// be called are not reported.
//
//   report_lost_values(index, reports);   // when a tool initializes, or values are taken
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/rejection_message.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

[[gnu::cold]] inline void report_lost_value(process_index& index, descriptor::control& variable,
                                            report_list& reports) noexcept {
    const descriptor::provenance held{variable.from.load()};
    if (!variable.is_adopted() || held.word() == 0 || held.is_assigned() || held.origin() == origin::tool) return;
    if (variable.resolution.load() == descriptor::control::resolved_later || !is_overwritten(variable)) return;
    if (!variable.from.replace(held.word(), held.assigned().word())) return;
    sentence said;
    each_candidate(index.given, variable, true, [&](const candidate& each) {
        if (!each.is_held_by(variable)) return false;
        each.say(said);
        return true;
    });
    if (said.length() == 0) said.say("a value from outside");
    said.say(" is not in effect: the library has assigned ");
    say_value(variable, said);
    said.say(" to ");
    said.show(variable.name, 256);
    said.say(" after it was loaded; mpit::resolve after that, or a constant initializer, keeps the value from outside");
    reports.add(said);
}

// Each value that is lost is said once.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void report_lost_values(process_index& index, report_list& reports) noexcept {
    if (index.has_adopted_values.load() == 0) return;
    const internal::looking here; // nothing of it is unloaded meanwhile
    index.arrivals.each([&](arrival& a) {
        if (a.state.load(core::sequential) != arrival::waiting) return;
        descriptor::for_each_item(*a.tree.load(), [&](descriptor::item& each) {
            if (each.of == kind::control) report_lost_value(index, static_cast<descriptor::control&>(each), reports);
        });
    });
    for (int i = 0, end = index.count(kind::control); i < end; i++)
        if (auto* live = static_cast<descriptor::control*>(index.variable(kind::control, i)->live.load(core::sequential)))
            report_lost_value(index, *live, reports);
}
// The same, and sends the reports. To be called when nothing is held.
MPIT_MODULE_LOCAL [[gnu::cold]] inline void report_lost_values(process_index& index) noexcept {
    report_list reports;
    report_lost_values(index, reports);
    reports.send(index.reports_to.load());
}

} // namespace registry
} // namespace mpit
