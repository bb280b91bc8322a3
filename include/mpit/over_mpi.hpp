// SPDX-License-Identifier: BSD-3-Clause
// The shims on top of a real MPI, which is called the host MPI. The shims define the functions of the MPI tool
// information interface over the items of the host MPI and of this process's registry, in one index space. Include this
// header in one source file of a library that is linked before the MPI, or preloaded, with MPIT_MPI_HEADER defined. The
// library must be compiled once for each MPI.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/over_mpi.hpp>
#pragma once

#ifdef MPIT_C_PROVIDER
#error "a source file can include only one of mpit/mpi_t.hpp and mpit/over_mpi.hpp, and mpit/compat.hpp after it"
#endif
// The class over which the functions of the standard are defined. For the library's own use.
#define MPIT_C_PROVIDER mpit::over_mpi::provider

#include <mpit/begin.hpp>

#include <mpit/over_mpi/provider.hpp> // IWYU pragma: export

// The header mpi_t.hpp defines the functions of the standard over the provider, which must be declared before.
#include <mpit/mpi_t.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
