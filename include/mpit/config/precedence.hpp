// SPDX-License-Identifier: BSD-3-Clause
// Visits the settings of a control variable (values from outside the program), the strongest first. The strength of a
// setting depends first on its origin, such as the environment. Among the settings of one origin, the current name
// overrides the former name, and a later setting overrides an earlier one. The environment names of a variable are
// visited in the declared order.
//
//   for_each_candidate(registry.settings, variable, true, [](const candidate& setting) { return is_last; });
#pragma once

#include <mpit/config/environment_values.hpp> // IWYU pragma: export
#include <mpit/config/settings.hpp>
#include <mpit/core/function_ref.hpp>
#include <mpit/registry/report.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// A candidate is a setting that a control variable may accept. For a value in the environment, the candidate has a copy
// of the name, because the cursor over the names overwrites its buffer.
class candidate {
public:
    mpit::origin origin{};
    bool is_former = false; // the setting has the former name of the variable
    text value;
    const setting* stored_setting = nullptr; // setting in the registry, or null for a value in the environment

    candidate() noexcept {}
    candidate(mpit::origin value_origin, bool is_former_name, text setting_name) noexcept
        : origin{value_origin}, is_former{is_former_name}, name_{setting_name} {}
    // Makes a candidate from a value in the environment. The provenance of the candidate has the location `place`.
    candidate(bool is_former_name, text entry_name, const char* place) noexcept
        : origin{origin::environment}, is_former{is_former_name}, is_copied_{true}, place_{place}, name_{entry_name} {
        name_.length = entry_name.length < sizeof buffer_ ? entry_name.length : sizeof buffer_ - 1;
        std::memcpy(buffer_, entry_name.characters, name_.length);
        buffer_[name_.length] = '\0';
    }

    text name() const noexcept { return is_copied_ ? text{buffer_, name_.length} : name_; }
    bool is_set() const noexcept { return name_.length != 0; }
    descriptor::provenance provenance() const noexcept {
        return descriptor::provenance{origin, stored_setting != nullptr ? stored_setting->place : place_};
    }
    bool is_current_value_of(const descriptor::control& variable) const noexcept {
        return descriptor::provenance{variable.provenance_word.load()}.without_assignment().word() ==
               provenance().word();
    }
    // Appends a description of the candidate to a message, for example "NAME=value in the environment".
    [[gnu::cold]] void append(message& output) const noexcept {
        output.append_escaped(name(), 300);
        output.append("=");
        output.append_quoted(value, 120);
        output.append(" in ");
        append_place(output);
    }
    [[gnu::cold]] void append_place(message& output) const noexcept {
        if (stored_setting == nullptr) return output.append("the environment");
        const bool has_place = *stored_setting->place != '\0';
        if (origin == origin::info) output.append(has_place ? "the info object of " : "an info object");
        if (has_place) output.append_escaped(stored_setting->place, 300);
    }

private:
    bool is_copied_ = false;
    const char* place_ = nullptr;
    text name_;
    char buffer_[2 * core::longest_name + 1]{};
};

// True if the registry has a setting with the current or former name of the variable. Does not search the environment.
inline bool has_setting(const setting_store& store, const descriptor::control& variable) noexcept {
    const auto has_name = [&](text name, std::uint32_t key) {
        const setting* entry = first_setting(store, key);
        while (entry != nullptr && (entry->key != key || !core::equal(entry->name, name))) entry = entry->next;
        return entry != nullptr;
    };
    if (has_name(variable.name, variable.key)) return true;
    const text former = variable.former_name == nullptr ? text{} : text{variable.former_name};
    return former.length != 0 && has_name(former, core::scan(former).key);
}

// Returns an environment variable as a candidate. If the environment variable does not exist, is_set() is false.
[[gnu::cold]] inline candidate candidate_in_environment(bool is_former, text name, const char* place) noexcept {
    const char* value = value_in_environment(name.characters);
    candidate setting;
    if (value == nullptr) return setting;
    setting = candidate{is_former, name, place};
    setting.value = value;
    return setting;
}
// for_each_candidate() calls a candidate_visit with one setting after the other until it returns true.
using candidate_visit = core::function_ref<bool(const candidate&)>;

// Visits the values in the environment under the variable's former name if `is_former` is true, or else under its
// current names. Returns true if `visit` has returned true and so ended the search.
[[gnu::cold]] inline bool for_each_in_environment(const descriptor::control& variable, bool is_former,
                                                  candidate_visit visit) noexcept {
    if (*variable.environment == '\0') return false;
    if (is_former) {
        const candidate former = candidate_in_environment(true, variable.former_name, variable.former_name);
        return former.is_set() && visit(former);
    }
    for (descriptor::environment_name_cursor names{variable}; names.next();) {
        const candidate present = candidate_in_environment(false, names.name(), names.list_position());
        if (present.is_set() && visit(present)) return true;
    }
    return false;
}
// Calls `visit` with the settings of a variable, the strongest first, until `visit` returns true.
[[gnu::cold]] inline void for_each_candidate(const setting_store& store, const descriptor::control& variable,
                                             bool with_environment, candidate_visit visit) noexcept {
    for (int rank = ordered_origin_count - 1; rank >= 0; rank--) {
        const mpit::origin value_origin = origin_at(store, rank);
        for (int i = 0; i < (variable.former_name == nullptr ? 1 : 2); i++) {
            const bool is_former = i == 1;
            if (value_origin == origin::environment) {
                if (with_environment && for_each_in_environment(variable, is_former, visit)) return;
                continue;
            }
            candidate stored{value_origin, is_former, is_former ? text{variable.former_name} : variable.name};
            const std::uint32_t key = is_former ? core::scan(stored.name()).key : variable.key;
            const setting* entry = next_match(first_setting(store, key), stored.name(), key, value_origin);
            for (; entry != nullptr; entry = next_match(entry->next, stored.name(), key, value_origin)) {
                stored.value = entry->value;
                stored.stored_setting = entry;
                if (visit(stored)) return;
            }
        }
    }
}

} // namespace registry
} // namespace mpit
