// SPDX-License-Identifier: BSD-3-Clause
// Implements mpit::resolve and mpit::given. mpit::given records where a library got the value of an adopted variable.
//
//   set_origin(the_registry(), variable, mpit::origin::configuration, "/etc/my.conf:3");
//   resolve_tree(cached_registry.load(), tree);
#pragma once

#include <mpit/config/adopted_values.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/settings.hpp>
#include <mpit/module/resolve.hpp>
#include <mpit/registry/report_once.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Returns a permanent copy of a text, or null if memory is exhausted. Equal texts share one copy.
[[gnu::cold]] inline const char* permanent_copy(process_registry& registry, text place) noexcept {
    static_cast<void>(is_first_report(registry, report_topic::place, place));
    const reported_name* entry = registry.reported_names.load();
    while (entry != nullptr && (entry->topic != report_topic::place || !core::equal(entry->name, place)))
        entry = entry->next;
    return entry != nullptr ? entry->name.characters : nullptr;
}

MPIT_INLINE bool is_outranked(const process_registry* registry, descriptor::control& variable,
                              mpit::origin source) noexcept {
    const descriptor::provenance current{variable.provenance_word.load()};
    return registry != nullptr && current.word() != 0 &&
           rank_of(registry->settings, source) < rank_of(registry->settings, current.origin());
}

MPIT_INLINE result set_origin(process_registry* registry, descriptor::control& variable, mpit::origin source,
                              text place) noexcept {
    if (static_cast<int>(source) >= origin_count || source == origin::tool) return result::invalid;
    if (is_outranked(registry, variable, source)) return result::set_not_now;
    const char* place_copy = nullptr;
    if (place.length != 0 && source != origin::library) {
        place_copy = registry == nullptr ? nullptr : permanent_copy(*registry, place);
        if (place_copy == nullptr) return result::out_of_memory;
    }
    variable.resolution.compare_and_set(descriptor::control::not_resolved, descriptor::control::resolution_deferred);
    variable.provenance_word.store(source == origin::library ? 0 : descriptor::provenance{source, place_copy}.word());
    record_fingerprint(variable);
    return result::success;
}

// Calls `use(text)` with the text of the setting that has set the variable, unless the text no longer exists.
template <class Use>
[[gnu::cold]] void use_text_from_outside(const process_registry* registry, const descriptor::control& variable,
                                         const Use& use) noexcept {
    const descriptor::provenance current = descriptor::provenance{variable.provenance_word.load()}.without_assignment();
    if (current.origin() == origin::environment) {
        const char* value =
            value_in_environment(descriptor::name_in_environment{variable, current.location()}.name().characters);
        return value != nullptr ? use(text{value}) : void();
    }
    const text names[] = {variable.name, variable.former_name == nullptr ? variable.name : text{variable.former_name}};
    for (const text& name : names) {
        const setting* entry = registry == nullptr ? nullptr : first_setting(registry->settings, core::scan(name).key);
        while (entry != nullptr && entry->place != current.location()) entry = entry->next;
        if (entry != nullptr) return use(entry->value);
    }
}

// The value that the library has assigned to an adopted variable becomes the initial value. If the assignment has
// replaced a setting from outside the program, the setting is stored again.
[[gnu::cold]] inline void resolve_adopted(process_registry* registry, descriptor::control& variable) noexcept {
    variable.resolution.store(descriptor::control::resolved);
    const descriptor::provenance current{variable.provenance_word.load()};
    if (current.word() != 0 && !is_overwritten(variable)) return;
    adopt_assigned_value(variable);
    if (current.word() == 0 || current.origin() == origin::tool) return;
    bool is_stored = false;
    use_text_from_outside(registry, variable, [&](text value) {
        const auto store = [&] {
            if (current.origin() != origin::info)
                return variable.operations->parse(variable, value, false) == descriptor::apply_result::stored;
            const info_value hint{variable, value};
            return variable.operations->parse(variable, hint.spelled(), false) == descriptor::apply_result::stored;
        };
        is_stored = store_adopted(variable, store, [&] { return present_fingerprint(variable); });
    });
    variable.provenance_word.compare_and_set(
        current.word(), is_stored ? current.without_assignment().word() : current.assigned().word());
}
// Applies the strongest setting to a variable whose storage could not accept a setting at load.
[[gnu::cold]] inline void take_strongest_setting(process_registry& registry, descriptor::control& variable) noexcept {
    if (variable.scope == scope::constant) return;
    for_each_candidate(registry.settings, variable, true, [&](const candidate& proposed) {
        const info_value hint{variable, proposed.value};
        const text value = proposed.origin == origin::info ? hint.spelled() : proposed.value;
        if (variable.operations->parse(variable, value, false) != descriptor::apply_result::stored) return false;
        variable.provenance_word.store(proposed.provenance().word());
        record_fingerprint(variable);
        return true;
    });
}
MPIT_INLINE void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept {
    const environment_filter filter;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](descriptor::item& item) {
        if (item.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(item);
        if (variable.is_adopted) resolve_adopted(registry, variable);
        if (variable.provenance_word.load() != 0) return;
        if (registry != nullptr && has_setting(registry->settings, variable))
            take_strongest_setting(*registry, variable);
        else if (filter.may_be_set(variable)) static_cast<void>(take_from_environment(variable, filter));
    }});
}

MPIT_INLINE int code_of_rejections(descriptor::category& tree) noexcept {
    int (*report_rejections)(descriptor::category&) = nullptr;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](const descriptor::item& item) {
        const auto* rules =
            item.item_kind == kind::control ? static_cast<const descriptor::control&>(item).rules : nullptr;
        if (rules != nullptr && rules->report_rejections != nullptr) report_rejections = rules->report_rejections;
    }});
    return report_rejections != nullptr ? report_rejections(tree) : 0;
}

} // namespace registry
} // namespace mpit
