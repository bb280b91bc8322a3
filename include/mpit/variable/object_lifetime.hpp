// SPDX-License-Identifier: BSD-3-Clause
// Tells the variables of a tree that an MPI object was created or is about to be freed: every variable bound to such
// objects gets, or releases, the object's cell.
//
//   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/descriptor/cell_store.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

inline void announce(descriptor::category& in_category, binding kind, object_key key,
                     descriptor::announcement what) noexcept {
    descriptor::for_each_item(in_category, [&](descriptor::item& each) {
        if (each.item_kind == descriptor::kind::source) return;
        auto& variable = static_cast<descriptor::variable&>(each);
        if (variable.announce != nullptr && (variable.binding == kind || what == descriptor::announcement::unloaded))
            variable.announce(variable, key, what);
    });
}

} // namespace internal

// A tool can bind handles to the object from now on. Where a handle type does not tell its kind, the kind is named:
// mpit::created<mpit::binding::communicator>(variables, comm). Any thread may call it, outside of signal handlers: it
// takes no lock and may allocate. Without memory tools do not see the object.
template <binding Kind, class Handle>
MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::created);
}
template <class Handle> MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    created<descriptor::object_traits<Handle>::binding>(tree, object);
}

// Handles that tools have bound to the object answer MPI_T_ERR_INVALID_HANDLE from now on. Any thread may call it,
// outside of signal handlers, once all others have stopped to use the object.
template <binding Kind, class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::freed);
}
template <class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    freed<descriptor::object_traits<Handle>::binding>(tree, object);
}

} // namespace mpit
