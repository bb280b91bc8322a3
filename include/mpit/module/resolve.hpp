// SPDX-License-Identifier: BSD-3-Clause
// Functions for adopted control variables, whose storage the library itself declares and assigns. A library that reads
// settings of its own calls mpit::given, to record where a value comes from. A library with dynamic initializers calls
// mpit::resolve, because an initializer may run after mpit has stored settings at load. A dynamic initializer
// overwrites the setting of a number. A std::string cannot hold a setting before its initializer has run.
//
//   if (!mpit::is_outranked(p2p.limit, mpit::origin::environment)) {
//       eager_limit = parsed;
//       mpit::given(p2p.limit, mpit::origin::environment, "OLD_EAGER_LIMIT");
//   }
//   void my_init() { mpit::resolve<my_variables>(); … }
#pragma once

#include <mpit/module/registered.hpp>
#include <mpit/variable/control_ref.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Implements mpit::is_outranked (adopted_variables.hpp).
[[gnu::cold]] bool is_outranked(const process_registry* registry, descriptor::control& variable,
                                mpit::origin source) noexcept;
[[gnu::cold]] result set_origin(process_registry* registry, descriptor::control& variable, mpit::origin source,
                                core::text place) noexcept;

// Implements mpit::resolve (adopted_variables.hpp). Without a registry, only the environment is read.
[[gnu::cold]] void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept;
// Returns the first error code that the library's .on_rejected has returned for a rejected setting, or 0.
[[gnu::cold]] int code_of_rejections(descriptor::category& tree) noexcept;

// Marks the control variables of a tree whose library calls mpit::resolve. Reports on variables wait for mpit::resolve.
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

// Records where the library got the value that it has stored in an adopted variable. given() does not change the value.
// After given() a weaker source cannot replace the value. The text `place` is copied. `place` is a file with a line
// number, or a name in the environment that differs from the name of the variable. Returns MPI_T_ERR_CVAR_SET_NOT_NOW
// if a stronger source has set the value before. The record of the stronger source stays, and mpit::resolve stores the
// value of the stronger source again. Returns MPI_T_ERR_INVALID for origin::tool, and MPI_T_ERR_MEMORY if memory is
// exhausted. Only the thread that initializes the library calls this function, outside of signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL result given(control_ref<T, Storage>& variable, origin source, const char* place = "") noexcept {
    return registry::set_origin(registry::the_registry(), variable, source, place);
}
// True if a stronger source than `source` has set the value of an adopted variable, so that the library should keep the
// value. Any thread may call this function, but no signal handler may.
template <class T, class Storage>
MPIT_MODULE_LOCAL bool is_outranked(control_ref<T, Storage>& variable, origin source) noexcept {
    return registry::is_outranked(registry::the_registry(), variable, source);
}

// Gives settings from outside the program precedence over values that the library has assigned to adopted variables. If
// the library has overwritten a setting, the setting is restored and the assigned value becomes the initial value. A
// variable that no setting has set before gets the value of the strongest setting. One thread calls this function once,
// in the init function of the library, after all initializers and before the library reads the variables. No signal
// handler may call this function. The function calls the .valid of variables but no .on_write. The function acquires no
// lock, and allocates no memory unless an .on_rejected exists. A value that a tool writes at the same time may be lost.
// Returns the first error code that an .on_rejected has returned, or 0.
template <class Tree> MPIT_MODULE_LOCAL int resolve() noexcept {
    static_cast<void>(&registry::resolution_of<Tree>::deferred);
    registry::resolve_tree(registry::cached_registry.load(), tree_holder<Tree>::held.tree);
    return registry::code_of_rejections(tree_holder<Tree>::held.tree);
}

} // namespace mpit
