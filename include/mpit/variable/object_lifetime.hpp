// SPDX-License-Identifier: BSD-3-Clause
// Announces to the variables of a tree that an MPI object was created or is about to be freed. Each variable that is
// bound to objects of this kind then allocates or releases the cell of the object.
//
//   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/descriptor/cell_store.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

inline void announce(descriptor::category& tree, binding kind, object_key key,
                     descriptor::announcement announcement) noexcept {
    descriptor::for_each_item(tree, [&](descriptor::item& item) {
        if (item.item_kind == descriptor::kind::source) return;
        auto& variable = static_cast<descriptor::variable&>(item);
        if (variable.announce != nullptr &&
            (variable.binding == kind || announcement == descriptor::announcement::unloaded))
            variable.announce(variable, key, announcement);
    });
}

} // namespace internal

// Announces a new object, after which tools can bind handles to the object (MPI-5.0, 15.3.2). If several kinds of
// objects share one handle type, the kind is named as in mpit::created<mpit::binding::communicator>(variables, comm).
// Any thread may call this function, but no signal handler, because the function may allocate memory. No lock is
// acquired. If memory is exhausted, tools do not see the object.
template <binding Kind, class Handle>
MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::created);
}
template <class Handle> MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    created<descriptor::object_traits<Handle>::binding>(tree, object);
}

// Announces the end of an object, after which calls with a handle that a tool has bound to the object return
// MPI_T_ERR_INVALID_HANDLE. All other threads must have stopped using the object. Any thread may call this function,
// but no signal handler.
template <binding Kind, class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::freed);
}
template <class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    freed<descriptor::object_traits<Handle>::binding>(tree, object);
}

} // namespace mpit
