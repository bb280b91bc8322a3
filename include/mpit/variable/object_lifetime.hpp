// SPDX-License-Identifier: BSD-3-Clause
// Announcements: a library says that one of its MPI objects was born or is about to be freed, and every variable of a tree
// that is bound to such objects gets, or gives up, the object's cell.
//
//   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/descriptor/cell_store.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

inline void announce(describe::category& in_category, binding kind, object_key key,
                     describe::announcement what) noexcept {
    describe::for_each_item(in_category, [&](describe::item& each) {
        if (each.of == describe::kind::source) return;
        auto& variable = static_cast<describe::variable&>(each);
        if (variable.announce != nullptr && (variable.binding == kind || what == describe::announcement::unloaded))
            variable.announce(variable, key, what);
    });
}

} // namespace declare

// A tool can bind handles to the object from now on. Where a handle type does not tell its kind, the kind is named:
// mpit::created<mpit::binding::communicator>(variables, comm).
template <binding Kind, class Handle> MPIT_MODULE_LOCAL void created(describe::category& tree, Handle object) noexcept {
    declare::announce(tree, Kind, describe::key_of(object), describe::announcement::created);
}
template <class Handle> MPIT_MODULE_LOCAL void created(describe::category& tree, Handle object) noexcept {
    created<describe::object_traits<Handle>::binding>(tree, object);
}

// Handles that tools have bound to the object answer MPI_T_ERR_INVALID_HANDLE from now on.
template <binding Kind, class Handle> MPIT_MODULE_LOCAL void freed(describe::category& tree, Handle object) noexcept {
    declare::announce(tree, Kind, describe::key_of(object), describe::announcement::freed);
}
template <class Handle> MPIT_MODULE_LOCAL void freed(describe::category& tree, Handle object) noexcept {
    freed<describe::object_traits<Handle>::binding>(tree, object);
}

} // namespace mpit
