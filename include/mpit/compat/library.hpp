// SPDX-License-Identifier: BSD-3-Clause
// The common part of the older interfaces, over the registry of the process: their own count of MPIT_Init and
// MPIT_Finalize, their own sessions and handles, apart from those of MPI_T_, and their return codes.
//
//   if (!compat::is_initialized()) return MPIT_ERR_NOTINITIALIZED; return compat::code_of(compat::tools().finalize());
#pragma once

#include <mpit/mpi_t/shim.hpp>

// After the mpi.h of the library, whose constants it takes.
#include <mpit/compat.h>

namespace mpit::inline v0_1 {
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

// Returns the draft's code of a result (table 1.6). MPIT_ERR_INVALID is added here: the draft has no code for an
// invalid argument.
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
    case result::cannot_set_now: return MPIT_ERR_SETNOTNOW;
    case result::cannot_set_ever: return MPIT_ERR_SETNEVER;
    case result::cannot_write:
    case result::not_atomic: return MPIT_ERR_NOWRITE;
    case result::cannot_start_or_stop: return MPIT_ERR_NOSTARTSTOP;
    default: return MPIT_ERR_INVALID;
    }
}

} // namespace compat
} // namespace mpit

// MPIT_INIT(). Its calls are counted apart from those of MPI_T_INIT_THREAD. MPIT_ERR_CANTINIT if memory for the
// registry is exhausted, or if a function of mpit::before_tools() refuses.
MPIT_C_FUNCTION_NAMED(MPIT_Init, PMPIT_Init, (void)) {
    mpit::thread_level provided{};
    return mpit::compat::code_of(mpit::compat::tools().initialize(mpit::thread_level::multiple, provided));
}

// MPIT_FINALIZE(). The last one frees all sessions and handles. MPIT_ERR_NOTINITIALIZED without a matching MPIT_Init.
MPIT_C_FUNCTION_NAMED(MPIT_Finalize, PMPIT_Finalize, (void)) {
    return mpit::compat::code_of(mpit::compat::tools().finalize());
}
