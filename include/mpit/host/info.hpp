// SPDX-License-Identifier: BSD-3-Clause
// Info objects that a tool receives: the host's where it returns one, otherwise new ones, because a tool may free what
// it receives.
//
//   return take_info(info, [&](MPI_Info* made) { return the_host.event_handle_get_info(registration, made); });
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/mpi_t/info_exchange.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// Whether the host can make an info object for a caller; where it would abort there is none, and the caller's is null.
MPIT_MODULE_LOCAL inline bool can_make(MPI_Info* info) noexcept {
    if (info == nullptr || has_objects()) return true;
    *info = MPI_INFO_NULL;
    return false;
}

// Calls `ask_host(info)`, which may leave the object null, as MPICH does. Without a place for the object nothing is done.
template <class Ask> MPIT_MODULE_LOCAL int take_info(MPI_Info* info, Ask ask_host) noexcept {
    if (info == nullptr || !can_make(info)) return MPI_SUCCESS;
    MPI_Info made = MPI_INFO_NULL;
    const int code = ask_host(&made);
    if (code == MPI_SUCCESS && made == MPI_INFO_NULL && mpi_t::make_info({}, made) != result::success) return MPI_T_ERR_MEMORY;
    *info = code == MPI_SUCCESS ? made : MPI_INFO_NULL;
    return code;
}

} // namespace over_mpi
} // namespace mpit
