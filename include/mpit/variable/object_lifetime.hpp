// SPDX-License-Identifier: BSD-3-Clause
// A library calls created() after the creation of an MPI object and freed() before the object is freed. In each
// variable that is bound to this kind of object, created() allocates a cell and freed() releases the cell.
//
//   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/descriptor/cell_store.hpp>

namespace mpit::inline v1_0 {
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

// Announces a new MPI object. After the call, tools can bind handles to the object (MPI-5.0, 15.3.2). If several kinds
// of objects have one handle type, the caller names the kind, as in
// mpit::created<mpit::binding::communicator>(variables, comm). Any thread may call created(), but no signal handler,
// because created() may allocate memory. created() takes no lock. If memory is exhausted, tools cannot see the object.
template <binding Kind, class Handle>
MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::created);
}
template <class Handle> MPIT_MODULE_LOCAL void created(descriptor::category& tree, Handle object) noexcept {
    created<descriptor::object_traits<Handle>::binding>(tree, object);
}

// Announces the end of an MPI object. After the call, MPI_T calls with a handle that is bound to the object return
// MPI_T_ERR_INVALID_HANDLE. Before the call, all other threads must stop using the object. Any thread may call freed(),
// but no signal handler.
template <binding Kind, class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    internal::announce(tree, Kind, descriptor::key_of(object), descriptor::announcement::freed);
}
template <class Handle> MPIT_MODULE_LOCAL void freed(descriptor::category& tree, Handle object) noexcept {
    freed<descriptor::object_traits<Handle>::binding>(tree, object);
}

} // namespace mpit
