// SPDX-License-Identifier: BSD-3-Clause
// The level of thread support that an MPI's tool interface is asked for. Open MPI 4.1.4 and 5.0.7 take it for the level
// of the whole process: MPI_Query_thread returns it from then on, lower or higher than what MPI_Init_thread has given.
// So they are asked for the level that the program has. Before MPI_Init any level may be asked for, since MPI_Init sets
// it again. MPICH has a level of its own for the tool interface, which each MPI_T_init_thread sets for all tools.
//
//   const int asked = level_to_ask({&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version}, MPI_THREAD_MULTIPLE);
#pragma once

#include <mpit/host/implementation.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

// Functions of an MPI, any of which may be null.
struct level_functions {
    int (*is_initialized)(int*);
    int (*is_finalized)(int*);
    int (*query_thread)(int*);
    int (*get_library_version)(char*, int*);
};

// The level of the program where the MPI would take another one for it, and `required` elsewhere.
inline int level_to_ask(const level_functions& mpi, int required) noexcept {
    int has_begun = 0, has_ended = 0, level = required;
    if (mpi.is_initialized == nullptr || mpi.is_finalized == nullptr || mpi.query_thread == nullptr ||
        implementation_of(mpi.get_library_version) != implementation::open_mpi)
        return required;
    const bool is_running = mpi.is_initialized(&has_begun) == MPI_SUCCESS && has_begun != 0 &&
                            mpi.is_finalized(&has_ended) == MPI_SUCCESS && has_ended == 0;
    return is_running && mpi.query_thread(&level) == MPI_SUCCESS ? level : required;
}

} // namespace host
} // namespace mpit
