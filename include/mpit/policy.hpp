// SPDX-License-Identifier: BSD-3-Clause
// A policy for the settings of a category and all categories inside of it. It stands before their members.
//
//   struct mympi_variables : mpit::category<"mympi", "Of the runtime"> {
//       mpit::policy settings{this, {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
//       mpit::control<int> limit{this, "MPIR_CVAR_EAGER", "In bytes"};       // MYMPI_EAGER, or else MPIR_CVAR_EAGER
#pragma once

#include <mpit/begin.hpp>

#include <mpit/config/resolver.hpp>
#include <mpit/descriptor/settings_policy.hpp> // IWYU pragma: export
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Tells the values that the variables of a tree have rejected, and returns the first error code. Those of the
// environment were found when the tree was loaded.
[[gnu::cold]] inline int tell_rejections(descriptor::category& tree) noexcept {
    process_registry* registry = known_registry.load();
    if (registry == nullptr) return 0;
    const pending_tree* here = registry->pending_trees.find(tree);
    const auto is_unresolved = [&](const descriptor::control& variable) {
        const unresolved_value* look = here == nullptr ? nullptr : here->unresolved_values.load();
        while (look != nullptr && look->variable != &variable) look = look->next;
        return look != nullptr;
    };
    int code = 0;
    report_list reports;
    descriptor::for_each_item(tree, [&](descriptor::item& each) {
        if (each.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(each);
        if (variable.rules == nullptr || !variable.rules->tells_library()) return;
        variable.resolution.store(descriptor::control::resolved);
        if (has_setting(registry->settings, variable) || is_unresolved(variable))
            resolver{*registry, variable, true, reports, here}.resolve_setting(false);
        const int answered = variable.rules->first_code.exchange(0);
        if (code == 0) code = answered;
    });
    reports.send(registry->reports_to.load());
    return code;
}

} // namespace registry

// A policy of a category. What it does not say is as in the category around. It costs nothing at load but for the
// variables whose names it makes. The compiler makes it: no thread and no signal handler sees it before it is whole.
class policy : descriptor::settings_rules {
public:
    using settings = policy_settings<descriptor::declared_environment<true>>;
    constexpr policy(descriptor::category* in_category, const settings& chosen) {
        if (in_category->members != 0) error::the_policy_of_a_category_comes_after_its_members();
        if (in_category->has_rules) *static_cast<descriptor::policy_values*>(this) = *in_category->rules;
        descriptor::apply_policy(*this, chosen);
        if (!error::is_known_to_be_null(chosen.on_rejected) || chosen.rejection_code != 0)
            tell_rejections = &registry::tell_rejections;
        in_category->rules = this;
        in_category->has_rules = true;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr policy(descriptor::category* in_category, const internal::unnamed_setting&, const More&...)
        : policy{in_category, settings{}} {}
    policy(const policy&) = delete;
    policy& operator=(const policy&) = delete;
};

} // namespace mpit

#include <mpit/end.hpp>
