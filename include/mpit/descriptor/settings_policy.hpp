// SPDX-License-Identifier: BSD-3-Clause
// The policy of a category, which sets the names of environment variables and the reactions to rejected values.
//
//   mpit::dynamic group{"mympi", "Of the runtime", {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/spare_words.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/environment_names.hpp>

namespace mpit::inline v1_0 {

// A rejected value from outside of the program, such as the environment. `variable` is the name of the control
// variable, and `name` is the possibly different name in the setting. `value` is the text of the value, and `source` is
// the origin. `place` is the location of the setting, such as "mympi.conf:12" or "argument 2", and empty for the
// environment. `reason` is mpit's message about the rejection. The texts are valid during the call of on_rejected. The
// thread that applies the setting calls on_rejected, and never calls on_rejected in a signal handler.
struct rejected_setting {
    core::text variable, name, value, place, reason;
    origin source{};
};
// The reply of on_rejected to a rejected value. `code` is an error code of the library, or 0 for no error. mpit reports
// the value unless `is_silent` is true. Each thread works on its own copy of the struct.
struct rejection_reply {
    int code = 0;
    bool is_silent = false;
};

// Settings of a policy. `environment` is a list of names of environment variables, for all control variables without a
// list of their own. Each name contains a star, which stands for the name of the control variable without `prefix`, and
// in capital letters if `in_capitals` is true. mpit::resolve, or publish() of a run-time group, calls `on_rejected` for
// each rejected value and returns the first error code. mpit also calls `on_rejected` for values that are rejected
// after mpit::resolve or publish(). If the library of a declared tree never calls mpit::resolve, rejected values are
// neither passed to `on_rejected` nor reported. A `rejection_code` other than 0 has the effect of an on_rejected that
// returns this code and is not silent. Each thread works on its own copy of the struct.
template <class Environment> struct policy_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    Environment environment{};
    const char* prefix = "";
    bool in_capitals = false;
    rejection_reply (*on_rejected)(const rejected_setting&) = nullptr;
    int rejection_code = 0;
};
// The policy of a group that is described at run time.
using settings_policy = policy_settings<environment_names>;

namespace MPIT_MODULE_LOCAL descriptor {

struct category;

// The policy in the descriptor of a category.
struct policy_values {
    bool has_environment = false; // if false, a variable without a list has its own name in the environment
    bool in_capitals = false;
    std::int32_t rejection_code = 0; // error code of the library for each rejected value
    const char* environment = "";
    text prefix;
    rejection_reply (*on_rejected)(const rejected_setting&) = nullptr;
    // Reports the rejected values of a declared tree for mpit::resolve, and returns the first error code.
    int (*report_rejections)(category& tree) = nullptr;

    // Returns true if the policy has an on_rejected function or an error code for rejected values.
    bool notifies_library() const noexcept { return on_rejected != nullptr || rejection_code != 0; }
};
// The policy to which control variables refer. Libraries in a process use each other's policies, because the library
// that a tool calls rejects values for all libraries.
struct settings_rules : policy_values {
    mutable core::atomic<std::int32_t> first_code; // first error code of the library after the last returned code
    core::spare_words<1> spare;

    constexpr settings_rules() noexcept {}
    constexpr explicit settings_rules(const policy_values& values) noexcept : policy_values{values} {}
};

template <class Environment>
constexpr void apply_policy(policy_values& rules, const policy_settings<Environment>& settings) {
    if (settings.environment.are_none || settings.environment.names.length != 0) {
        rules.has_environment = true;
        rules.environment = settings.environment.are_none ? "" : settings.environment.names.characters;
    }
    if (settings.prefix != nullptr && *settings.prefix != '\0') rules.prefix = settings.prefix;
    if (settings.in_capitals) rules.in_capitals = true;
    if (!error::is_known_to_be_null(settings.on_rejected)) rules.on_rejected = settings.on_rejected;
    if (settings.rejection_code != 0) rules.rejection_code = settings.rejection_code;
}

} // namespace descriptor
} // namespace mpit
