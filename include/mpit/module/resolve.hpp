// SPDX-License-Identifier: BSD-3-Clause
// Resolves the values of adopted variables again, for libraries whose variables have initializers that run at load.
// Such an initializer may run after the tree was loaded: it replaces the setting of a number, and constructs a
// std::string that could not take a setting before.
//
//   void my_init() { mpit::resolve<my_variables>(); … }
#pragma once

#include <mpit/module/registered.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Resolves the values of a tree of the process, or without a registry those of the environment. (adopted_variables.hpp)
[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE void resolve_tree(process_registry* registry, descriptor::category& tree) noexcept;
// The first error code of the author for a value that was rejected; 0 if there is none.
[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE int code_of_rejections(descriptor::category& tree) noexcept;

// A tree that is resolved somewhere is not reported before that.
struct resolution_to_come {
    MPIT_MODULE_LOCAL explicit resolution_to_come(descriptor::category& tree) noexcept {
        descriptor::for_each_item(tree, descriptor::item_visit{[](descriptor::item& each) {
            if (each.item_kind == descriptor::kind::control)
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

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/module/adopted_variables.hpp>
#endif
