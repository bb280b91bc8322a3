// SPDX-License-Identifier: BSD-3-Clause
// For a library that reads its settings itself: it says who has given the value that is in the storage of an adopted variable.
//
//   if (!mpit::is_outranked(p2p.limit, mpit::origin::environment)) {
//       eager_limit = parsed;
//       mpit::given(p2p.limit, mpit::origin::environment, "OLD_EAGER_LIMIT");
#pragma once

#include <mpit/variable/control_ref.hpp>
#include <mpit/module/the_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Whether the value is from a stronger source. (adopted_variables.hpp)
[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE bool is_outranked(const process_registry* registry, descriptor::control& variable,
                                                            mpit::origin source) noexcept;
[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE result note_given(process_registry* registry, descriptor::control& variable,
                                                            mpit::origin source, core::text place) noexcept;

} // namespace registry

// Says that a source has given the value that is in the storage of an adopted variable now. The value does not change;
// its origin and its place do, and a weaker source no longer replaces it. `place` is copied: the name in the environment if it
// is not the variable's own, or a file with its line. MPI_T_ERR_CVAR_SET_NOT_NOW if a stronger source has given a value before:
// the origin stays, and mpit::resolve stores that value again. MPI_T_ERR_INVALID for origin::tool, MPI_T_ERR_MEMORY without
// memory for the place. For the thread that initializes the library, not for signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL result given(control_ref<T, Storage>& variable, origin source, const char* place = "") noexcept {
    return registry::note_given(registry::the_registry(), variable, source, place);
}
// Whether a stronger source than this one has given the value of an adopted variable, so that the library does not replace
// it. Any thread may call it; not for signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL bool is_outranked(control_ref<T, Storage>& variable, origin source) noexcept {
    return registry::is_outranked(registry::the_registry(), variable, source);
}

} // namespace mpit

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/module/adopted_variables.hpp>
#endif
