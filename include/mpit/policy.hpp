// SPDX-License-Identifier: BSD-3-Clause
// A policy says which environment variables set the control variables of a category and of all categories inside of the
// category. The policy must be declared before the other members of the category.
//
//   struct mympi_variables : mpit::category<"mympi", "The runtime"> {
//       mpit::policy settings{this, {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
//       mpit::control<int> limit{this, "MPIR_CVAR_EAGER", "In bytes"};       // MYMPI_EAGER, or else MPIR_CVAR_EAGER
#pragma once

#include <mpit/begin.hpp>

#include <mpit/config/resolver.hpp>
#include <mpit/descriptor/settings_policy.hpp> // IWYU pragma: export
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Tells a library which settings of its control variables were rejected. `tree` contains all variables of the library.
// Returns the first error code that the library has returned, or 0. load_tree() has recorded the variables whose value
// in the environment was rejected.
[[gnu::cold]] inline int report_rejections(descriptor::category& tree) noexcept {
    process_registry* registry = cached_registry.load();
    if (registry == nullptr) return 0;
    const pending_tree* pending = registry->pending_trees.find(tree);
    const auto is_unresolved = [&](const descriptor::control& variable) {
        const unresolved_value* value = pending == nullptr ? nullptr : pending->unresolved_values.load();
        while (value != nullptr && value->variable != &variable) value = value->next;
        return value != nullptr;
    };
    int first_code = 0;
    report_list reports;
    descriptor::for_each_item(tree, [&](descriptor::item& item) {
        if (item.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(item);
        if (variable.rules == nullptr || !variable.rules->notifies_library()) return;
        variable.resolution.store(descriptor::control::resolved);
        if (has_setting(registry->settings, variable) || is_unresolved(variable))
            resolver{*registry, variable, true, reports, pending}.resolve(false);
        const int code = variable.rules->first_code.exchange(0);
        if (first_code == 0) first_code = code;
    });
    reports.send(registry->reports_to.load());
    return first_code;
}

} // namespace registry

// The policy of a category. If the policy leaves a setting out, the policy of the enclosing category applies. If a
// policy defines environment variables for many control variables, the library takes longer to load. A policy is
// initialized at compile time, before any thread or signal handler runs.
class policy : descriptor::settings_rules {
public:
    using settings = policy_settings<descriptor::declared_environment<true>>;
    constexpr policy(descriptor::category* parent, const settings& new_settings) {
        if (parent->members != 0) error::the_policy_of_a_category_must_be_declared_before_its_members();
        if (parent->has_rules) *static_cast<descriptor::policy_values*>(this) = *parent->rules;
        descriptor::apply_policy(*this, new_settings);
        if (!error::is_known_to_be_null(new_settings.on_rejected) || new_settings.rejection_code != 0)
            report_rejections = &registry::report_rejections;
        parent->rules = this;
        parent->has_rules = true;
    }
    // A setting that is passed without its name, such as .environment, is a compile error.
    template <class... Values>
    constexpr policy(descriptor::category* parent, const internal::unnamed_setting&, const Values&...)
        : policy{parent, settings{}} {}
    policy(const policy&) = delete;
    policy& operator=(const policy&) = delete;
};

} // namespace mpit

#include <mpit/end.hpp>
