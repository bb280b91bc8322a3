// SPDX-License-Identifier: BSD-3-Clause
// Adopted variables, for libraries that assign or initialize them themselves. One that reads settings of its own
// reports who has given a value. One with initializers that run at load resolves the values again: such an initializer
// may run after the tree was loaded, replaces the setting of a number, and constructs a std::string that could not take
// a setting before.
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

// Whether the value is from a stronger source. (adopted_variables.hpp)
[[gnu::cold]] bool is_outranked(const process_registry* registry, descriptor::control& variable,
                                mpit::origin source) noexcept;
[[gnu::cold]] result note_given(process_registry* registry, descriptor::control& variable, mpit::origin source,
                                core::text place) noexcept;

// Resolves the values of a tree of the process, or without a registry those of the environment. (adopted_variables.hpp)
[[gnu::cold]] void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept;
// The first error code of the author for a value that was rejected; 0 if there is none.
[[gnu::cold]] int code_of_rejections(descriptor::category& tree) noexcept;

// A tree that is resolved somewhere is not reported before that.
struct resolution_to_come {
    explicit resolution_to_come(descriptor::category& tree) noexcept {
        descriptor::for_each_item(tree, descriptor::item_visit{[](descriptor::item& each) {
            if (each.item_kind == descriptor::kind::control)
                static_cast<descriptor::control&>(each).resolution.replace(descriptor::control::not_resolved,
                                                                           descriptor::control::resolved_later);
        }});
    }
};
template <class Tree> struct [[gnu::visibility("hidden")]] resolution_of {
    static const resolution_to_come announced;
};
template <class Tree> const resolution_to_come resolution_of<Tree>::announced{tree_holder<Tree>::held.tree};

} // namespace registry

// Says that a source has given the value that is in the storage of an adopted variable now. The value does not change;
// its origin and its place do, and a weaker source no longer replaces it. `place` is copied: the name in the
// environment if it is not the variable's own, or a file with its line. MPI_T_ERR_CVAR_SET_NOT_NOW if a stronger source
// has given a value before: the origin stays, and mpit::resolve stores that value again. MPI_T_ERR_INVALID for
// origin::tool, MPI_T_ERR_MEMORY without memory for the place. For the thread that initializes the library, not for
// signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL result given(control_ref<T, Storage>& variable, origin source, const char* place = "") noexcept {
    return registry::note_given(registry::the_registry(), variable, source, place);
}
// Whether a stronger source than this one has given the value of an adopted variable, so that the library does not
// replace it. Any thread may call it; not for signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL bool is_outranked(control_ref<T, Storage>& variable, origin source) noexcept {
    return registry::is_outranked(registry::the_registry(), variable, source);
}

// Lets the values from outside win over what the library has assigned to its adopted variables: each that has taken
// such a value and lost it takes it again, and what the library has assigned becomes its declared value. A variable
// without a value from outside takes that of the strongest source. To be called once, when all initializers have run
// and before the library reads its variables: in its init function, by one thread, not in a signal handler. Functions
// .on_write are not called, as at the start; .valid is. Takes no lock and, without an .on_rejected, allocates nothing;
// a value that a tool writes meanwhile may be lost. Returns the first error code that .on_rejected of a policy of the
// tree has answered, or 0.
template <class Tree> MPIT_MODULE_LOCAL int resolve() noexcept {
    static_cast<void>(&registry::resolution_of<Tree>::announced);
    registry::resolve_tree(registry::known_registry.load(), tree_holder<Tree>::held.tree);
    return registry::code_of_rejections(tree_holder<Tree>::held.tree);
}

} // namespace mpit
