// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.4: Initialization and finalization of the tool information interface.
#pragma once

#include <mpit/mpi_t/translation.hpp> // IWYU pragma: keep

#if MPIT_C_PASSES_ON
MPIT_C_SHIMS_NOTE
#endif

// MPI_T_INIT_THREAD(required, provided). Counts; the first call of an epoch decides the level that all calls of the epoch
// provide. MPI_T_ERR_INVALID for what is not a level; a null `provided` is not written. A function of mpit::before_tools() may
// refuse with a code of its own.
MPIT_C_EPOCH_FUNCTION(init_thread, opens, (int required, int* provided), (required, provided)) {
    mpit::thread_level asked{}, setting{};
    if (!mpit::mpi_t::level_of(required, asked)) return MPI_T_ERR_INVALID;
    int refusal = 0;
    const mpit::result answer = mpit::mpi_t::tools().initialize(asked, setting, refusal);
    if (answer == mpit::result::success) mpit::mpi_t::put(provided, mpit::mpi_t::constant_of(setting));
    return refusal != 0 ? refusal : mpit::mpi_t::code_of(answer);
}

// MPI_T_FINALIZE(). The last one frees all sessions and handles. MPI_T_ERR_NOT_INITIALIZED without a matching init.
MPIT_C_EPOCH_FUNCTION(finalize, closes, (void), ()) { return mpit::mpi_t::code_of(mpit::mpi_t::tools().finalize()); }
