// SPDX-License-Identifier: BSD-3-Clause
// Loads a tree: its control variables take their values from the environment, its sums get their cells, and it becomes
// pending. The registrar publishes it, so that no source file with variables contains that code, and a program without
// a tool does not run it.
//
//   load_tree(the_registry(), tree, "the owner");
#pragma once

#include <mpit/config/environment_values.hpp>
#include <mpit/module/registered.hpp>
#include <mpit/module/unload_tree.hpp>
#include <mpit/registry/shard_cells.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Tells the registrars of a pending tree. The first one publishes it. Either this finds the registrar of a tool that
// comes now, or the tool finds the tree.
[[gnu::cold]] inline void notify_registrar(process_registry& registry, pending_tree& a, report_list& reports) noexcept {
    const core::read_guard guard; // a keeper that is being unloaded waits
    for (registrar* k = registry.pending_trees.registrars.load(core::sequential); k != nullptr; k = k->next)
        if (const auto on_load = k->on_load.load(core::sequential)) return on_load(registry, a, reports);
}

// The name under which the environment has a value that was not taken; null if the first value was.
class rejected_name {
public:
    [[gnu::cold]] explicit rejected_name(const descriptor::control& variable) noexcept : asked_{variable} {
        const descriptor::provenance held{variable.provenance_word.load()};
        while (asked_.next()) {
            if (value_in_environment(asked_.name().characters) == nullptr) continue;
            const bool is_held = held.origin() == origin::environment && held.place() == asked_.place();
            if (!is_held) text_ = asked_.name().characters;
            return;
        }
        if (held.word() == 0) text_ = variable.former_name;
    }
    const char* text() const noexcept { return text_; }

private:
    descriptor::asked_names asked_;
    const char* text_ = nullptr;
};

// Reports an unusable value of the environment in a process without shims, which would report it in detail. Every file
// with variables has this code, so it is short.
[[gnu::cold]] inline void report_rejection(const process_registry& registry, descriptor::control& variable) noexcept {
    for (const registrar* k = registry.pending_trees.registrars.load(); k != nullptr; k = k->next)
        if (k->on_load.load() != nullptr) return;
    if (are_shims_there || (variable.rules != nullptr && variable.rules->tells_library())) return;
    const rejected_name name{variable};
    if (name.text() == nullptr) return;
    variable.is_rejection_reported = true;
    const bool is_closed = variable.scope == scope::constant || variable.binding != binding::none;
    const char* const accepted = is_closed                                ? "no value from outside"
                                 : variable.enumeration.count != 0        ? "one of its items"
                                 : variable.type == datatype::char_type   ? "a text that fits"
                                 : variable.type == datatype::double_type ? "a number in its range"
                                                                          : "a whole number in its range";
    report(registry.reports_to.load(), "%.256s in the environment cannot be used: %.256s takes %s, and %s", name.text(),
           variable.name.characters, accepted,
           variable.provenance_word.load() == 0 ? "keeps its value" : "has another one");
}
[[gnu::cold, gnu::noinline]] inline void remember_unresolved(process_registry& registry, pending_tree& tree,
                                                             descriptor::control& variable) noexcept {
    report_rejection(registry, variable);
    auto* made = registry.memory.make<unresolved_value>();
    if (made == nullptr) return;
    made->variable = &variable;
    made->next = tree.unresolved_values.load();
    tree.unresolved_values.store(made);
}

MPIT_INLINE void take_at_load(descriptor::control& variable, const environment_filter& filter,
                              process_registry* registry, pending_tree* tree) noexcept {
    if (take_from_environment(variable, filter) && tree != nullptr) remember_unresolved(*registry, *tree, variable);
}

MPIT_INLINE void load_tree(process_registry* registry, descriptor::category& tree, text owner,
                           one_file_includes_mpit_implementation_hpp) noexcept {
    pending_tree* here = nullptr;
    if (registry != nullptr && at_unloading(*registry, &unload_tree, &tree))
        here = registry->pending_trees.add(registry->memory, tree, owner, name_of_module);
    // Where tools are served already, the tree may be one that comes again, and has cells.
    const bool has_cells = registry == nullptr || registry->pending_trees.has_tools.load(core::sequential) != 0;
    const environment_filter filter;
    descriptor::for_each_item(tree, [&](descriptor::item& each) {
        if (each.item_kind == kind::performance && !has_cells)
            number_shard_cells(*registry, static_cast<descriptor::performance&>(each));
        if (filter.may_be_set(each)) tree.take_at_load(static_cast<descriptor::control&>(each), filter, registry, here);
    });
    if (here == nullptr)
        return report(registry == nullptr ? nullptr : registry->reports_to.load(),
                      "no memory to register all variables of %.*s in %s", static_cast<int>(owner.length),
                      owner.characters, words_for_module());
    report_list reports;
    registry->pending_trees.set_pending(*here);
    notify_registrar(*registry, *here, reports);
    reports.send(registry->reports_to.load());
}

} // namespace registry
} // namespace mpit
