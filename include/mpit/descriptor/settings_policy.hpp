// SPDX-License-Identifier: BSD-3-Clause
// What all control variables of a category share about their settings: the names of the environment, and what follows
// from a value that cannot be used.
//
//   mpit::dynamic group{"mympi", "Of the runtime", {.environment = "MYMPI_*, MPIR_CVAR_*", .prefix = "MPIR_CVAR_"}};
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/spare_words.hpp>
#include <mpit/descriptor/declared_settings.hpp> // IWYU pragma: export
#include <mpit/descriptor/environment_names.hpp>

namespace mpit::inline v0_1 {

// A value from outside that cannot be used: the `variable`, the `name` under which the value came, which may be another
// one, the text of the `value`, its `source` and `place` ("mympi.conf:12", "argument 2", nothing for the environment),
// and the `reason`, which is the whole line of the report. The texts stay while the function runs that is shown them,
// in the thread that gives the values; outside of signal handlers.
struct rejected_setting {
    core::text variable, name, value, place, reason;
    origin source{};
};
// What a library answers: its own error `code`, 0 for none, and whether it is reported all the same, or `is_silent`. A
// plain value for any thread and any signal handler.
struct rejection_reply {
    int code = 0;
    bool is_silent = false;
};

// Settings of a policy. `environment` has the names for each variable that does not name its own, each with a star. A
// star stands for the name of the variable without `prefix`, if it begins with that, and in capital letters if
// `in_capitals`; also in a variable's own list. `on_rejected` hears of each value that cannot be used: mpit::resolve,
// or publish() of a group, calls it and answers the first error code that is not 0; later values are told when they
// come. Without mpit::resolve nothing is told or reported. `rejection_code` is the short form of a function: each such
// value is reported, and this error code of the library is answered, if it is not 0. A plain value: a thread or a
// signal handler works on its own copy.
template <class Environment> struct policy_settings {
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    Environment environment{};
    const char* prefix = "";
    bool in_capitals = false;
    rejection_reply (*on_rejected)(const rejected_setting&) = nullptr;
    int rejection_code = 0;
};
// Those of a group that is described at run time.
using settings_policy = policy_settings<environment_names>;

namespace MPIT_MODULE_LOCAL descriptor {

struct category;

// The same as a category has it.
struct policy_values {
    bool has_environment = false; // otherwise as a variable that says nothing
    bool in_capitals = false;
    std::int32_t rejection_code = 0; // of the author, for each value that cannot be used
    const char* environment = "";
    text prefix;
    rejection_reply (*on_rejected)(const rejected_setting&) = nullptr;
    int (*tell_rejections)(category& tree) = nullptr; // of a declared tree, when its library runs; the first code

    // Whether the library asks for the values that cannot be used.
    bool tells_library() const noexcept { return on_rejected != nullptr || rejection_code != 0; }
};
// The same as its variables refer to it. Shared, because the copy that serves a tool rejects values for all copies.
struct settings_rules : policy_values {
    mutable core::atomic<std::int32_t> first_code; // of the author, since it was asked for
    core::spare_words<1> spare;

    constexpr settings_rules() noexcept {}
    constexpr explicit settings_rules(const policy_values& values) noexcept : policy_values{values} {}
};

template <class Environment>
constexpr void apply_policy(policy_values& rules, const policy_settings<Environment>& chosen) {
    if (chosen.environment.are_none || chosen.environment.names.length != 0) {
        rules.has_environment = true;
        rules.environment = chosen.environment.are_none ? "" : chosen.environment.names.characters;
    }
    if (chosen.prefix != nullptr && *chosen.prefix != '\0') rules.prefix = chosen.prefix;
    if (chosen.in_capitals) rules.in_capitals = true;
    if (!error::is_known_to_be_null(chosen.on_rejected)) rules.on_rejected = chosen.on_rejected;
    if (chosen.rejection_code != 0) rules.rejection_code = chosen.rejection_code;
}

} // namespace descriptor
} // namespace mpit
