// SPDX-License-Identifier: BSD-3-Clause
// A policy for the settings of a category and all categories inside of it. It stands before their members.
//
//   struct mympi_variables : mpit::category<"mympi", "Of the runtime"> {
//       mpit::policy settings{this, {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
//       mpit::control<int> limit{this, "MPIR_CVAR_EAGER", "In bytes"};       // MYMPI_EAGER, or else MPIR_CVAR_EAGER
#pragma once

#include <mpit/descriptor/settings_policy.hpp> // IWYU pragma: export
#include <mpit/descriptor/variable.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// A policy of a category. What it does not say is as in the category around. It costs nothing at load but for the variables
// whose names it makes. The compiler makes it: no thread and no signal handler sees it before it is whole.
class policy : descriptor::settings_rules {
public:
    constexpr policy(descriptor::category* in_category, const settings_policy& chosen) {
        if (in_category->members != 0) error::the_policy_of_a_category_comes_after_its_members();
        if (in_category->has_rules) *static_cast<descriptor::settings_rules*>(this) = *in_category->rules;
        descriptor::apply_policy(*this, chosen);
        if (chosen.environment.names.length != 0) descriptor::check_names_of_environment(chosen.environment.names, true);
        in_category->rules = this;
        in_category->has_rules = true;
    }
    policy(const policy&) = delete;
    policy& operator=(const policy&) = delete;
};

} // namespace mpit

#pragma GCC diagnostic pop
