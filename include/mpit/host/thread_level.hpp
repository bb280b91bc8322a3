// SPDX-License-Identifier: BSD-3-Clause
// The level of thread support that an MPI's tool interface is asked for. Open MPI 4.1.4 and 5.0.7 take it for the level of the whole
// process: MPI_Query_thread returns it from then on, lower or higher than what MPI_Init_thread has given. So they are asked for the level
// that the program has. Before MPI_Init any level may be asked for, since MPI_Init sets it again. MPICH has a level of its own for the tool
// interface, which each MPI_T_init_thread sets for all tools.
//
//   const int asked = level_to_ask({&MPI_Initialized, &MPI_Finalized, &MPI_Query_thread, &MPI_Get_library_version}, MPI_THREAD_MULTIPLE);
#pragma once

#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep

#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// Functions of an MPI, any of which may be null.
struct level_functions {
    int (*is_initialized)(int*);
    int (*is_finalized)(int*);
    int (*query_thread)(int*);
    int (*library_version)(char*, int*);
};

// Whether the library says that it is Open MPI.
MPIT_MODULE_LOCAL inline bool is_open_mpi(int (*library_version)(char*, int*)) noexcept {
    constexpr int longest_version = 8192; // of the binary interface of MPI-5.0; that of MPI-3.1 and Open MPI is shorter
    constexpr char name[] = "Open MPI";
    char version[longest_version + 1] = "";
    int length = 0;
    return library_version != nullptr && library_version(version, &length) == MPI_SUCCESS &&
           std::strncmp(version, name, sizeof name - 1) == 0;
}

// The level of the program where the MPI would take another one for it, and `required` elsewhere.
MPIT_MODULE_LOCAL inline int level_to_ask(const level_functions& mpi, int required) noexcept {
    int has_begun = 0, has_ended = 0, level = required;
    if (mpi.is_initialized == nullptr || mpi.is_finalized == nullptr || mpi.query_thread == nullptr || !is_open_mpi(mpi.library_version))
        return required;
    const bool is_running = mpi.is_initialized(&has_begun) == MPI_SUCCESS && has_begun != 0 &&
                            mpi.is_finalized(&has_ended) == MPI_SUCCESS && has_ended == 0;
    return is_running && mpi.query_thread(&level) == MPI_SUCCESS ? level : required;
}

} // namespace over_mpi
} // namespace mpit
