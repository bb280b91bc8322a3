// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of the MPI tool information interface on top of a real MPI, which is called the host MPI. Tools
// see the variables of the host MPI and of this process's registry in one index space. Include this header, with
// MPIT_MPI_HEADER defined, in one source file of a library. The library must be compiled once for each MPI, and must be
// preloaded or linked before the MPI.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/over_mpi.hpp>
#pragma once

#ifdef MPIT_C_PROVIDER
#error "a source file can include only one of mpit/mpi_t.hpp and mpit/over_mpi.hpp, and mpit/compat.hpp after it"
#endif
// The class that implements the functions of the standard. For the library's own use.
#define MPIT_C_PROVIDER mpit::over_mpi::provider

#include <mpit/begin.hpp>

#include <mpit/over_mpi/provider.hpp> // IWYU pragma: export

// mpi_t.hpp is included last, because it defines the functions of the standard with the class MPIT_C_PROVIDER.
#include <mpit/mpi_t.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
