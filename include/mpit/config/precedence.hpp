// SPDX-License-Identifier: BSD-3-Clause
// The settings of a control variable, under its present and its former name, by precedence: the strongest source first;
// within one source the present name before the former one, and the later setting before the earlier; in the
// environment the names of a list in their order.
//
//   each_candidate(registry.settings, variable, true, [](const setting& s) { return is_enough; });
#pragma once

#include <mpit/config/environment_values.hpp> // IWYU pragma: export
#include <mpit/config/settings.hpp>
#include <mpit/core/function_ref.hpp>
#include <mpit/registry/report.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// One setting. A copy of it has its own copy of the name.
class candidate {
public:
    mpit::origin source{};
    bool is_former = false; // its name
    text value;
    const setting* stored_setting = nullptr; // null for the environment's

    candidate() noexcept {}
    candidate(mpit::origin from, bool has_former_name, text called) noexcept
        : source{from}, is_former{has_former_name}, name_{called} {}
    // Of the environment. `place` is the one of a provenance.
    candidate(bool has_former_name, text called, const char* place) noexcept
        : source{origin::environment}, is_former{has_former_name}, is_copied_{true}, place_{place}, name_{called} {
        name_.length = called.length < sizeof room_ ? called.length : sizeof room_ - 1;
        std::memcpy(room_, called.characters, name_.length);
        room_[name_.length] = '\0';
    }

    text name() const noexcept { return is_copied_ ? text{room_, name_.length} : name_; }
    bool is_there() const noexcept { return name_.length != 0; }
    descriptor::provenance provenance() const noexcept {
        return descriptor::provenance{source, stored_setting != nullptr ? stored_setting->place : place_};
    }
    bool is_held_by(const descriptor::control& variable) const noexcept {
        return descriptor::provenance{variable.provenance_word.load()}.without_assignment().word() ==
               provenance().word();
    }
    // NAME=value in the environment
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
        if (source == origin::info) output.append(has_place ? "the info object of " : "an info object");
        if (has_place) output.append_escaped(stored_setting->place, 300);
    }

private:
    bool is_copied_ = false;
    const char* place_ = nullptr;
    text name_;
    char room_[2 * core::longest_name + 1]{};
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

// The value that the environment has under a name; not there if it has none.
[[gnu::cold]] inline candidate candidate_in_environment(bool is_former, text name, const char* place) noexcept {
    const char* value = value_in_environment(name.characters);
    candidate answer;
    if (value == nullptr) return answer;
    answer = candidate{is_former, name, place};
    answer.value = value;
    return answer;
}
// Called with each setting. Returns true to end the search.
using candidate_visit = core::function_ref<bool(const candidate&)>;

// The same as each_candidate, of the environment alone. Returns whether it was ended.
[[gnu::cold]] inline bool each_of_environment(const descriptor::control& variable, bool is_former,
                                              candidate_visit visit) noexcept {
    if (*variable.environment == '\0') return false;
    if (is_former) {
        const candidate former = candidate_in_environment(true, variable.former_name, variable.former_name);
        return former.is_there() && visit(former);
    }
    for (descriptor::asked_names each{variable}; each.next();) {
        const candidate present = candidate_in_environment(false, each.name(), each.place());
        if (present.is_there() && visit(present)) return true;
    }
    return false;
}
// Ends if the answer is true.
[[gnu::cold]] inline void each_candidate(const setting_store& store, const descriptor::control& variable,
                                         bool with_environment, candidate_visit visit) noexcept {
    for (int rank = middle_sources - 1; rank >= 0; rank--) {
        const origin source = source_at(store, rank);
        for (int i = 0; i < (variable.former_name == nullptr ? 1 : 2); i++) {
            const bool is_former = i == 1;
            if (source == origin::environment) {
                if (with_environment && each_of_environment(variable, is_former, visit)) return;
                continue;
            }
            candidate found{source, is_former, is_former ? text{variable.former_name} : variable.name};
            const std::uint32_t key = is_former ? core::scan(found.name()).key : variable.key;
            const setting* entry = matching(first_setting(store, key), found.name(), key, source);
            for (; entry != nullptr; entry = matching(entry->next, found.name(), key, source)) {
                found.value = entry->value;
                found.stored_setting = entry;
                if (visit(found)) return;
            }
        }
    }
}

} // namespace registry
} // namespace mpit
