// SPDX-License-Identifier: BSD-3-Clause
// The settings of a control variable, under its present and its former name, by precedence: the strongest source first;
// within one source the present name before the former one, and the later setting before the earlier.
//
//   each_candidate(registry.settings, variable, true, [](const setting& s) { return is_enough; });
#pragma once

#include <mpit/config/environment_values.hpp>
#include <mpit/config/settings.hpp>
#include <mpit/registry/report.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

struct candidate {
    mpit::origin source{};
    bool is_former = false; // its name
    text name, value;
    const setting* stored_setting = nullptr; // null for the environment's

    descriptor::provenance provenance(const descriptor::control& variable) const noexcept {
        const bool has_its_name = core::equal(name, variable.name);
        return descriptor::provenance{source, stored_setting != nullptr ? stored_setting->place
                                              : has_its_name            ? nullptr
                                                                        : name.characters};
    }
    bool is_held_by(const descriptor::control& variable) const noexcept {
        return descriptor::provenance{variable.provenance_word.load()}.without_assignment().word() ==
               provenance(variable).word();
    }
    // NAME=value in the environment
    [[gnu::cold]] void append(message& output) const noexcept {
        output.append_escaped(name, 300);
        output.append("=");
        output.append_quoted(value, 120);
        output.append(" in ");
        append_place(output);
    }
    [[gnu::cold]] void append_place(message& output) const noexcept {
        if (stored_setting == nullptr) return output.append("the environment");
        const bool has_place = *stored_setting->place != '\0';
        if (source == origin::info) output.append(has_place ? "the info object of " : "an info object");
        if (has_place) output.append_escaped(stored_setting->place, 300);
    }
};

// Whether a name has a value that is not from the environment.
inline bool has_setting(const setting_store& store, const descriptor::control& variable) noexcept {
    const auto has = [&](text name, std::uint32_t key) {
        const setting* entry = first_setting(store, key);
        while (entry != nullptr && (entry->key != key || !core::equal(entry->name, name))) entry = entry->next;
        return entry != nullptr;
    };
    if (has(variable.name, variable.key)) return true;
    const text former = variable.former_name == nullptr ? text{} : text{variable.former_name};
    return former.length != 0 && has(former, core::scan(former).key);
}

// Ends where the answer is true.
template <class Visit>
[[gnu::cold]] void each_candidate(const setting_store& store, const descriptor::control& variable,
                                  bool with_environment, const Visit& visit) noexcept {
    const bool has_environment = with_environment && *variable.environment != '\0';
    for (int rank = middle_sources - 1; rank >= 0; rank--) {
        const origin source = source_at(store, rank);
        for (int i = 0; i < (variable.former_name == nullptr ? 1 : 2); i++) {
            const bool is_former = i == 1;
            candidate found;
            found.source = source;
            found.is_former = is_former;
            found.name = is_former ? text{variable.former_name} : variable.name;
            if (source == origin::environment) {
                if (!is_former) found.name = variable.environment;
                const char* value = has_environment ? value_in_environment(found.name.characters) : nullptr;
                if (value == nullptr) continue;
                found.value = value;
                if (visit(found)) return;
                continue;
            }
            const std::uint32_t key = is_former ? core::scan(found.name).key : variable.key;
            const setting* entry = matching(first_setting(store, key), found.name, key, source);
            for (; entry != nullptr; entry = matching(entry->next, found.name, key, source)) {
                found.value = entry->value;
                found.stored_setting = entry;
                if (visit(found)) return;
            }
        }
    }
}

} // namespace registry
} // namespace mpit
