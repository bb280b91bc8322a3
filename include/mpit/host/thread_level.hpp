// SPDX-License-Identifier: BSD-3-Clause
// Selects the thread level with which mpit initializes the tool interface of an MPI. In Open MPI 4.1.4 and 5.0.7 the
// level of the tool interface becomes the level of the whole process, even if MPI_Init_thread has provided another
// level. From a running Open MPI, mpit therefore requests the level that the program already has. Before MPI_Init mpit
// may request any level, because MPI_Init sets the level again. In MPICH the tool interface has a level of its own. In
// MPICH each MPI_T_init_thread sets the level for all tools.
//
//   const level_functions mpi{&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version};
//   const int level = level_to_request(mpi, MPI_THREAD_MULTIPLE);
#pragma once

#include <mpit/host/implementation.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

// Pointers to the functions of the MPI that level_to_request() calls. Each pointer may be null.
struct level_functions {
    int (*is_initialized)(int*);
    int (*is_finalized)(int*);
    int (*query_thread)(int*);
    int (*get_library_version)(char*, int*);
};

// Returns the thread level of the program if Open MPI is running, and `required` otherwise.
inline int level_to_request(const level_functions& mpi, int required) noexcept {
    int is_initialized = 0, is_finalized = 0, level = required;
    if (mpi.is_initialized == nullptr || mpi.is_finalized == nullptr || mpi.query_thread == nullptr ||
        implementation_of(mpi.get_library_version) != implementation::open_mpi)
        return required;
    const bool is_running = mpi.is_initialized(&is_initialized) == MPI_SUCCESS && is_initialized != 0 &&
                            mpi.is_finalized(&is_finalized) == MPI_SUCCESS && is_finalized == 0;
    return is_running && mpi.query_thread(&level) == MPI_SUCCESS ? level : required;
}

} // namespace host
} // namespace mpit
