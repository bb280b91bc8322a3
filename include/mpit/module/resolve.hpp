// SPDX-License-Identifier: BSD-3-Clause
// Adopted variables, whose library assigns or initializes the storage itself. A library that reads settings of its own
// calls mpit::given. A library with initializers that run at load calls mpit::resolve: they may run after the tree was
// loaded, replace the setting of a number, or construct a std::string that could not take one.
//
//   if (!mpit::is_outranked(p2p.limit, mpit::origin::environment)) {
//       eager_limit = parsed;
//       mpit::given(p2p.limit, mpit::origin::environment, "OLD_EAGER_LIMIT");
//   }
//   void my_init() { mpit::resolve<my_variables>(); … }
#pragma once

#include <mpit/module/registered.hpp>
#include <mpit/variable/control_ref.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// True if the value is from a stronger source than `source`. (adopted_variables.hpp)
[[gnu::cold]] bool is_outranked(const process_registry* registry, descriptor::control& variable,
                                mpit::origin source) noexcept;
[[gnu::cold]] result set_origin(process_registry* registry, descriptor::control& variable, mpit::origin source,
                                core::text place) noexcept;

// Resolves the values of a tree, without a registry from the environment alone. (adopted_variables.hpp)
[[gnu::cold]] void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept;
// Returns the author's first error code for a rejected value, or 0.
[[gnu::cold]] int code_of_rejections(descriptor::category& tree) noexcept;

// Marks the control variables of a tree whose library calls mpit::resolve: nothing is reported of them before.
struct deferred_resolution {
    explicit deferred_resolution(descriptor::category& tree) noexcept {
        descriptor::for_each_item(tree, descriptor::item_visit{[](descriptor::item& item) {
            if (item.item_kind == descriptor::kind::control)
                static_cast<descriptor::control&>(item).resolution.compare_and_set(
                    descriptor::control::not_resolved, descriptor::control::resolution_deferred);
        }});
    }
};
template <class Tree> struct [[gnu::visibility("hidden")]] resolution_of {
    static const deferred_resolution deferred;
};
template <class Tree> const deferred_resolution resolution_of<Tree>::deferred{tree_holder<Tree>::held.tree};

} // namespace registry

// Sets the origin and the place of the value that is in the storage of an adopted variable. The value does not change,
// and a weaker source no longer replaces it. `place` is copied: the name in the environment if it is not the variable's
// own, or a file with its line. Returns MPI_T_ERR_CVAR_SET_NOT_NOW if a stronger source has given a value before: the
// origin stays, and mpit::resolve stores that value again; MPI_T_ERR_INVALID for origin::tool; MPI_T_ERR_MEMORY if
// memory is exhausted. Called by the thread that initializes the library, not in a signal handler.
template <class T, class Storage>
MPIT_MODULE_LOCAL result given(control_ref<T, Storage>& variable, origin source, const char* place = "") noexcept {
    return registry::set_origin(registry::the_registry(), variable, source, place);
}
// True if a stronger source than `source` has given the value of an adopted variable, so that the library should not
// replace it. Any thread may call it, not in a signal handler.
template <class T, class Storage>
MPIT_MODULE_LOCAL bool is_outranked(control_ref<T, Storage>& variable, origin source) noexcept {
    return registry::is_outranked(registry::the_registry(), variable, source);
}

// Gives values from outside precedence over the assignments of the library to its adopted variables. A variable that
// has taken a value from outside and was overwritten takes it again, and the assigned value becomes its declared one. A
// variable without a value from outside takes that of the strongest source. To be called once, when all initializers
// have run and before the library reads its variables: in its init function, by one thread, not in a signal handler.
// Functions .on_write are not called, as at the start; .valid is. Takes no lock and, without an .on_rejected, allocates
// nothing; a value that a tool writes meanwhile may be lost. Returns the first error code of an .on_rejected, or 0.
template <class Tree> MPIT_MODULE_LOCAL int resolve() noexcept {
    static_cast<void>(&registry::resolution_of<Tree>::deferred);
    registry::resolve_tree(registry::cached_registry.load(), tree_holder<Tree>::held.tree);
    return registry::code_of_rejections(tree_holder<Tree>::held.tree);
}

} // namespace mpit
