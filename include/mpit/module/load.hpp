// SPDX-License-Identifier: BSD-3-Clause
// Loads a tree of variables. Control variables get values from the environment, counters get cells in every thread, and
// the tree becomes pending. A registrar publishes pending trees once a tool initializes the interface. Files with
// variables therefore contain no code for publication, and programs without a tool publish nothing.
//
//   load_tree(the_registry(), tree, "the owner");
#pragma once

#include <mpit/config/environment_values.hpp>
#include <mpit/module/registered.hpp>
#include <mpit/module/unload_tree.hpp>
#include <mpit/registry/shard_cells.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Passes a pending tree to the first registrar (a shared object that publishes trees), if there is one. The seq_cst
// operations of two threads form a Dekker pattern. The thread that loads a tree first stores the tree's state in
// set_pending(), and then reads the registrars here and has_tools in on_tree_loaded(). The other thread first stores
// the registrar in become_registrar() or has_tools in open_to_tools(), and then reads the states of the trees. So
// either the thread that loads a tree finds the registrar, or the registrar finds the tree.
[[gnu::cold]] inline void notify_registrar(process_registry& registry, pending_tree& pending,
                                           report_list& reports) noexcept {
    const core::read_guard guard; // delays the unload of a registrar's shared object
    for (registrar* r = registry.pending_trees.registrars.load(core::seq_cst); r != nullptr; r = r->next)
        if (const auto on_load = r->on_load.load(core::seq_cst)) return on_load(registry, pending, reports);
}

// The name of the environment variable whose value a control variable has rejected. text() is null if the variable
// accepted the first value.
class rejected_name {
public:
    [[gnu::cold]] explicit rejected_name(const descriptor::control& variable) noexcept : names_{variable} {
        const descriptor::provenance provenance{variable.provenance_word.load()};
        while (names_.next()) {
            if (value_in_environment(names_.name().characters) == nullptr) continue;
            const bool is_taken =
                provenance.origin() == origin::environment && provenance.location() == names_.list_position();
            if (!is_taken) text_ = names_.name().characters;
            return;
        }
        if (provenance.word() == 0) text_ = variable.former_name;
    }
    const char* text() const noexcept { return text_; }

private:
    descriptor::environment_name_cursor names_;
    const char* text_ = nullptr;
};

// Reports a rejected value in the environment, if the process has no registrar. A registrar would report the value in
// more detail. report_rejection() is short, because every source file with variables contains a copy.
[[gnu::cold]] inline void report_rejection(const process_registry& registry, descriptor::control& variable) noexcept {
    for (const registrar* r = registry.pending_trees.registrars.load(); r != nullptr; r = r->next)
        if (r->on_load.load() != nullptr) return;
    if (has_shims || (variable.rules != nullptr && variable.rules->notifies_library())) return;
    const rejected_name name{variable};
    if (name.text() == nullptr) return;
    variable.is_rejection_reported = true;
    const bool takes_no_value = variable.scope == scope::constant || variable.binding != binding::none;
    const char* const accepted = takes_no_value                           ? "no settings"
                                 : variable.enumeration.count != 0        ? "one of its items"
                                 : variable.type == datatype::char_type   ? "a shorter text"
                                 : variable.type == datatype::double_type ? "a number in its range"
                                                                          : "a whole number in its range";
    report(registry.reports_to.load(),
           "%.256s in the environment is not accepted: the control variable %.256s accepts %s and %s", name.text(),
           variable.name.characters, accepted,
           variable.provenance_word.load() == 0 ? "keeps its value" : "has another value");
}
[[gnu::cold, gnu::noinline]] inline void remember_unresolved(process_registry& registry, pending_tree& tree,
                                                             descriptor::control& variable) noexcept {
    report_rejection(registry, variable);
    auto* value = registry.memory.make<unresolved_value>();
    if (value == nullptr) return;
    value->variable = &variable;
    value->next = tree.unresolved_values.load();
    tree.unresolved_values.store(value);
}

MPIT_INLINE void apply_environment_at_load(descriptor::control& variable, const environment_filter& filter,
                                           process_registry* registry, pending_tree* tree) noexcept {
    if (take_from_environment(variable, filter) && tree != nullptr) remember_unresolved(*registry, *tree, variable);
}

MPIT_INLINE void load_tree(process_registry* registry, descriptor::category& tree, text owner,
                           one_file_includes_mpit_implementation_hpp) noexcept {
    pending_tree* slot = nullptr;
    if (registry != nullptr && at_unloading(*registry, &unload_tree, &tree))
        slot = registry->pending_trees.add(registry->memory, tree, owner, name_of_module);
    // If a tool runs, publication assigns the counter cells, because a reloaded tree may have cells already.
    const bool may_have_cells = registry == nullptr || registry->pending_trees.has_tools.load(core::seq_cst) != 0;
    const environment_filter filter;
    descriptor::for_each_item(tree, [&](descriptor::item& item) {
        if (item.item_kind == kind::performance && !may_have_cells)
            assign_shard_cells(*registry, static_cast<descriptor::performance&>(item));
        if (filter.may_be_set(item))
            tree.apply_environment_at_load(static_cast<descriptor::control&>(item), filter, registry, slot);
    });
    if (slot == nullptr)
        return report(registry == nullptr ? nullptr : registry->reports_to.load(),
                      "memory is exhausted: not all variables of %.*s in %s are registered",
                      static_cast<int>(owner.length), owner.characters, display_name());
    report_list reports;
    registry->pending_trees.set_pending(*slot);
    notify_registrar(*registry, *slot, reports);
    reports.send(registry->reports_to.load());
}

} // namespace registry
} // namespace mpit
