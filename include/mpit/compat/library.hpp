// SPDX-License-Identifier: BSD-3-Clause
// Contains the common declarations of the draft of 2011 and of the taxonomy proposal of 2010, which both use the
// registry of the process. Calls of MPIT_Init and MPIT_Finalize are counted separately from calls of the MPI_T_
// functions. The MPIT_ and the MPI_T_ functions have separate sessions and handles.
//
//   if (!compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED; return compat::code_of(compat::tools().finalize());
#pragma once

#include <mpit/mpi_t/shim.hpp>

// mpit/compat.h uses the types and constants of the library's mpi.h, and so is included after mpi.h.
#include <mpit/compat.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

using descriptor::kind;
using mpi_t::handle_of;
using mpi_t::put;
using mpi_t::text_pair;
using mpi_t::word_of;
using registry::category_record;
using registry::variable_record;

inline constinit session::library the_library;
inline session::library& tools() noexcept { return the_library; }
inline bool is_initialized() noexcept { return tools().is_initialized(); }
inline registry::process_registry& registry() noexcept { return tools().registry(); }

// Returns the error code of the draft of 2011 for a result (table 1.6). MPIT_ERR_INVALID is mpit's own error code,
// because the draft has no error code for an invalid argument.
inline int code_of(result status) noexcept {
    switch (status) {
    case result::success: return MPIT_SUCCESS;
    case result::cannot_initialize: return MPIT_ERR_CANTINIT;
    case result::not_initialized: return MPIT_ERR_NOTINITIALIZED;
    case result::out_of_memory: return MPIT_ERR_MEMORY;
    case result::invalid_index: return MPIT_ERR_INVALIDINDEX;
    case result::invalid_item: return MPIT_ERR_INVALIDITEM;
    case result::invalid_session: return MPIT_ERR_INVALIDSESSION;
    case result::invalid_handle: return MPIT_ERR_INVALIDHANDLE;
    case result::out_of_handles: return MPIT_ERR_OUTOFHANDLES;
    case result::out_of_sessions: return MPIT_ERR_OUTOFSESSIONS;
    case result::set_not_now: return MPIT_ERR_SETNOTNOW;
    case result::set_never: return MPIT_ERR_SETNEVER;
    case result::cannot_write:
    case result::not_atomic: return MPIT_ERR_NOWRITE;
    case result::cannot_start_or_stop: return MPIT_ERR_NOSTARTSTOP;
    default: return MPIT_ERR_INVALID;
    }
}

} // namespace compat
} // namespace mpit

// MPIT_INIT(). The calls of MPIT_INIT are counted separately from the calls of MPI_T_INIT_THREAD. Returns
// MPIT_ERR_CANTINIT if memory for the registry is exhausted, or if a function that was passed to mpit::before_tools()
// returns an error code.
MPIT_C_FUNCTION_NAMED(MPIT_Init, PMPIT_Init, (void)) {
    mpit::thread_level provided{};
    return mpit::compat::code_of(mpit::compat::tools().initialize(mpit::thread_level::multiple, provided));
}

// MPIT_FINALIZE(). The call that matches the first MPIT_Init frees all sessions and handles. Returns
// MPIT_ERR_NOTINITIALIZED for a call without a matching MPIT_Init.
MPIT_C_FUNCTION_NAMED(MPIT_Finalize, PMPIT_Finalize, (void)) {
    return mpit::compat::code_of(mpit::compat::tools().finalize());
}
