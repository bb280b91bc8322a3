// SPDX-License-Identifier: BSD-3-Clause
// Reports former names that are taken: by a variable of another tree, or as a former name of one. The compiler finds
// those of the same tree.
//
//   report_taken_former_name(registry, variable, "p2p_variables in libp2p.so", reports);   // of a new variable
#pragma once

#include <mpit/registry/report_once.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Most processes have no former names.
inline bool may_have_taken_former_name(const process_registry& registry, const descriptor::control& fresh) noexcept {
    return fresh.former_name != nullptr || registry.said.load() != nullptr;
}
// Whichever is registered first, both variables take a setting of such a name.
[[gnu::cold]] inline void report_taken_former_name(process_registry& registry, const descriptor::control& fresh, text owner,
                                                   report_list& reports) noexcept {
    static constexpr char of_former_names = 'n';
    if (was_reported(registry, of_former_names, fresh.name))
        reports.add("%s of %s is a former name of another control variable: both take a value that is given to it",
                    fresh.name.characters, owner.characters);
    if (fresh.former_name == nullptr) return;
    const record* there = registry.find(kind::control, fresh.former_name);
    const bool is_taken = there != nullptr;
    if (!is_taken && is_first_report(registry, of_former_names, fresh.former_name)) return;
    reports.add("%s, a former name of %s of %s, is %s: both take a value that is given to it", fresh.former_name,
                fresh.name.characters, owner.characters,
                is_taken ? "the name of another control variable" : "a former name of another control variable, too");
}

} // namespace registry
} // namespace mpit
