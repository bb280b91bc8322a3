// SPDX-License-Identifier: BSD-3-Clause
// What all control variables of a category share about their settings: the names of the environment.
//
//   mpit::dynamic group{"mympi", "Of the runtime", {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
#pragma once

#include <mpit/descriptor/environment_names.hpp>

namespace mpit::inline v0_1 {

// Settings of a policy. `environment` has the names for each variable that does not name its own, each with a star. A star
// stands for the name of the variable without `prefix`, if it begins with that, and in capital letters if `in_capitals`; also in
// a variable's own list. A plain value: a thread or a signal handler works on its own copy.
struct settings_policy {
    environment_names environment{};
    const char* prefix = "";
    bool in_capitals = false;
};

namespace MPIT_MODULE_LOCAL descriptor {

// The same as the variables refer to it.
struct settings_rules {
    bool has_environment = false; // otherwise as a variable that says nothing
    bool in_capitals = false;
    const char* environment = "";
    text prefix;
};

constexpr void apply_policy(settings_rules& rules, const settings_policy& chosen) {
    if (chosen.environment.are_none || chosen.environment.names.length != 0) {
        rules.has_environment = true;
        rules.environment = chosen.environment.are_none ? "" : chosen.environment.names.characters;
    }
    if (chosen.prefix != nullptr && *chosen.prefix != '\0') rules.prefix = chosen.prefix;
    if (chosen.in_capitals) rules.in_capitals = true;
}

} // namespace descriptor
} // namespace mpit
