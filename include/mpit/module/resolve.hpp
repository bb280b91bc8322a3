// SPDX-License-Identifier: BSD-3-Clause
// Resolves the values of adopted variables again, for libraries whose variables have initializers that run at load.
// Such an initializer may run after the tree was loaded: it replaces the setting of a number, and constructs a
// std::string that could not take a setting before.
//
//   void my_init() { mpit::resolve<my_variables>(); … }
#pragma once

#include <mpit/module/load.hpp>
#include <mpit/config/precedence.hpp>
#include <mpit/config/info_value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

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
[[gnu::cold]] inline void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept {
    const environment_filter filter;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](descriptor::item& each) {
        if (each.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(each);
        if (variable.is_adopted()) resolve_adopted(registry, variable);
        if (variable.provenance_word.load() != 0) return;
        if (registry != nullptr && has_setting(registry->settings, variable)) take_strongest_setting(*registry, variable);
        else static_cast<void>(take_from_environment(variable, filter));
    }});
}

// The first error code of the author for a value that was rejected; 0 if there is none.
[[gnu::cold]] inline int code_of_rejections(descriptor::category& tree) noexcept {
    int (*tell)(descriptor::category&) = nullptr;
    descriptor::for_each_item(tree, descriptor::item_visit{[&](const descriptor::item& each) {
        const auto* rules = each.item_kind == kind::control ? static_cast<const descriptor::control&>(each).rules : nullptr;
        if (rules != nullptr && rules->tell_rejections != nullptr) tell = rules->tell_rejections;
    }});
    return tell != nullptr ? tell(tree) : 0;
}

// A tree that is resolved somewhere is not reported before that.
struct resolution_to_come {
    MPIT_MODULE_LOCAL explicit resolution_to_come(descriptor::category& tree) noexcept {
        descriptor::for_each_item(tree, descriptor::item_visit{[](descriptor::item& each) {
            if (each.item_kind == kind::control)
                static_cast<descriptor::control&>(each).resolution.replace(descriptor::control::not_resolved,
                                                                         descriptor::control::resolved_later);
        }});
    }
};
template <class Tree> struct [[gnu::visibility("hidden")]] resolution_of { static const resolution_to_come announced; };
template <class Tree> const resolution_to_come resolution_of<Tree>::announced{tree_holder<Tree>::held.tree};

} // namespace registry

// Lets the values from outside win over what the library has assigned to its adopted variables: each that has taken such a
// value and lost it takes it again, and what the library has assigned becomes its declared value. A variable without a value
// from outside takes that of the strongest source. To be called once, when all initializers have run and before the library reads
// its variables: in its init function, by one thread, not in a signal handler. Functions .on_write are not called, as at the
// start; .valid is. Takes no lock and, without
// an .on_rejected, allocates nothing; a value that a tool writes meanwhile may be lost. Returns the first error code that
// .on_rejected of a policy of the tree has answered, or 0.
template <class Tree> MPIT_MODULE_LOCAL int resolve() noexcept {
    static_cast<void>(&registry::resolution_of<Tree>::announced);
    registry::resolve_tree(registry::known_registry.load(), tree_holder<Tree>::held.tree);
    return registry::code_of_rejections(tree_holder<Tree>::held.tree);
}

} // namespace mpit
