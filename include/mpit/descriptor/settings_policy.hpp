// SPDX-License-Identifier: BSD-3-Clause
// The policy for the settings of all control variables of a category: names in the environment, and rejected values.
//
//   mpit::dynamic group{"mympi", "Of the runtime", {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/spare_words.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/environment_names.hpp>

namespace mpit::inline v0_1 {

// A value from outside that was rejected: the name of the `variable`, the `name` in the setting, which may be another
// one, the text of the `value`, its `source`, its `place` there ("mympi.conf:12", "argument 2", empty for the
// environment), and the `reason`, which is the line of the report. The texts are valid during the call of on_rejected,
// in the thread that applies the setting, which is not in a signal handler.
struct rejected_setting {
    core::text variable, name, value, place, reason;
    origin source{};
};
// The reply of on_rejected: an error `code` of the library, 0 for none. The value is reported unless `is_silent`. A
// plain value for any thread and any signal handler.
struct rejection_reply {
    int code = 0;
    bool is_silent = false;
};

// Settings of a policy. `environment` is the list of names, each with a star, of all variables without a list of their
// own. A star, also in a variable's own list, is replaced by the name of the variable, without `prefix` if it begins
// with that, in capital letters if `in_capitals`. mpit::resolve, or publish() of a group, calls `on_rejected` for each
// rejected value, and returns the first error code; later values are passed when they are applied. Without
// mpit::resolve in its library it is not called, and nothing is reported. `rejection_code` is the short form of an
// on_rejected that returns a code and is not silent; or 0. A plain value: a thread or a signal handler works on its own
// copy.
template <class Environment> struct policy_settings {
    // Refuses a value without a name.
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

// The policy in a descriptor of a category.
struct policy_values {
    bool has_environment = false; // false: a variable without a list has its own name in the environment
    bool in_capitals = false;
    std::int32_t rejection_code = 0; // of the library, for each rejected value
    const char* environment = "";
    text prefix;
    rejection_reply (*on_rejected)(const rejected_setting&) = nullptr;
    // Of a declared tree, called by mpit::resolve: reports the rejected values, and returns the first code.
    int (*report_rejections)(category& tree) = nullptr;

    // Returns true if the library gets the rejected values or a code for them.
    bool notifies_library() const noexcept { return on_rejected != nullptr || rejection_code != 0; }
};
// The policy to which variables refer. Shared, because the copy that serves a tool rejects values for all copies.
struct settings_rules : policy_values {
    mutable core::atomic<std::int32_t> first_code; // the first code of the library since the last one was returned
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
