// SPDX-License-Identifier: BSD-3-Clause
// Adopted variables, behind mpit::given and mpit::resolve: notes the source of the value that is in their storage, and
// resolves their values again.
//
//   note_given(the_registry(), variable, mpit::origin::configuration, "/etc/my.conf:3");   resolve_tree(known_registry.load(), tree);
#pragma once

#include <mpit/config/adopted_values.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/info_value.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/settings.hpp>
#include <mpit/module/resolve.hpp>
#include <mpit/registry/report_once.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// A copy that is never freed, one for each text; null without memory.
[[gnu::cold]] inline const char* kept_place(process_registry& registry, text place) noexcept {
    static_cast<void>(is_first_report(registry, report_topic::place, place));
    const reported_name* entry = registry.reported_names.load();
    while (entry != nullptr && (entry->topic != report_topic::place || !core::equal(entry->name, place)))
        entry = entry->next;
    return entry != nullptr ? entry->name.characters : nullptr;
}

MPIT_INLINE bool is_outranked(const process_registry* registry, descriptor::control& variable,
                              mpit::origin source) noexcept {
    const descriptor::provenance held{variable.provenance_word.load()};
    return registry != nullptr && held.word() != 0 &&
           rank_of(registry->settings, source) < rank_of(registry->settings, held.origin());
}

MPIT_INLINE result note_given(process_registry* registry, descriptor::control& variable, mpit::origin source,
                              text place) noexcept {
    if (static_cast<int>(source) >= origin_count || source == origin::tool) return result::invalid;
    if (is_outranked(registry, variable, source)) return result::cannot_set_now;
    const char* kept = nullptr;
    if (place.length != 0 && source != origin::library) {
        kept = registry == nullptr ? nullptr : kept_place(*registry, place);
        if (kept == nullptr) return result::out_of_memory;
    }
    variable.resolution.replace(descriptor::control::not_resolved, descriptor::control::resolved_later);
    variable.provenance_word.store(source == origin::library ? 0 : descriptor::provenance{source, kept}.word());
    keep_fingerprint(variable);
    return result::success;
}

// Calls `use(text)` with the text that a variable has its value from, if that is still known.
template <class Use>
[[gnu::cold]] void use_text_from_outside(const process_registry* registry, const descriptor::control& variable,
                                         const Use& use) noexcept {
    const descriptor::provenance held = descriptor::provenance{variable.provenance_word.load()}.without_assignment();
    if (held.origin() == origin::environment) {
        const char* value = value_in_environment(descriptor::found_name{variable, held.place()}.name().characters);
        return value != nullptr ? use(text{value}) : void();
    }
    const text names[] = {variable.name, variable.former_name == nullptr ? variable.name : text{variable.former_name}};
    for (const text& name : names) {
        const setting* entry = registry == nullptr ? nullptr : first_setting(registry->settings, core::scan(name).key);
        while (entry != nullptr && entry->place != held.place()) entry = entry->next;
        if (entry != nullptr) return use(entry->value);
    }
}

[[gnu::cold]] inline void resolve_adopted(process_registry* registry, descriptor::control& variable) noexcept {
    variable.resolution.store(descriptor::control::resolved);
    const descriptor::provenance held{variable.provenance_word.load()};
    if (held.word() != 0 && !is_overwritten(variable)) return;
    keep_assigned_as_initial(variable);
    if (held.word() == 0 || held.origin() == origin::tool) return;
    bool is_stored = false;
    use_text_from_outside(registry, variable, [&](text value) {
        const auto store = [&] {
            if (held.origin() != origin::info)
                return variable.operations->parse(variable, value, false) == descriptor::apply_result::taken;
            const info_value hint{variable, value};
            return variable.operations->parse(variable, hint.spelled(), false) == descriptor::apply_result::taken;
        };
        is_stored = store_adopted(variable, store, [&] { return present_fingerprint(variable); });
    });
    variable.provenance_word.replace(held.word(),
                                     is_stored ? held.without_assignment().word() : held.assigned().word());
}
// For a variable that has no value from outside yet, since it could not take one before.
[[gnu::cold]] inline void take_strongest_setting(process_registry& registry, descriptor::control& variable) noexcept {
    if (variable.scope == scope::constant) return;
    each_candidate(registry.settings, variable, true, [&](const candidate& each) {
        const info_value hint{variable, each.value};
        const text value = each.source == origin::info ? hint.spelled() : each.value;
        if (variable.operations->parse(variable, value, false) != descriptor::apply_result::taken) return false;
        variable.provenance_word.store(each.provenance().word());
        keep_fingerprint(variable);
        return true;
    });
}
MPIT_INLINE void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept {
    const environment_filter filter;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](descriptor::item& each) {
        if (each.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(each);
        if (variable.is_adopted) resolve_adopted(registry, variable);
        if (variable.provenance_word.load() != 0) return;
        if (registry != nullptr && has_setting(registry->settings, variable))
            take_strongest_setting(*registry, variable);
        else if (filter.may_be_set(variable)) static_cast<void>(take_from_environment(variable, filter));
    }});
}

MPIT_INLINE int code_of_rejections(descriptor::category& tree) noexcept {
    int (*tell)(descriptor::category&) = nullptr;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](const descriptor::item& each) {
        const auto* rules =
            each.item_kind == kind::control ? static_cast<const descriptor::control&>(each).rules : nullptr;
        if (rules != nullptr && rules->tell_rejections != nullptr) tell = rules->tell_rejections;
    }});
    return tell != nullptr ? tell(tree) : 0;
}

} // namespace registry
} // namespace mpit
