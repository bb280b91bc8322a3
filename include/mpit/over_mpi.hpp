// SPDX-License-Identifier: BSD-3-Clause
// The shims on top of a real MPI, the host: defines the functions of the MPI tool information interface over the items
// of the host and those of the registry of this process, in one index space. Include it in one .cpp of a library that
// is linked before the MPI, or preloaded, with MPIT_MPI_HEADER defined; the library is compiled once for each MPI.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/over_mpi.hpp>
#pragma once

#ifdef MPIT_C_PROVIDER
#error "a source file can include only one of mpit/mpi_t.hpp and mpit/over_mpi.hpp, and mpit/compat.hpp after it"
#endif
// The provider of the functions. For the library's own use.
#define MPIT_C_PROVIDER mpit::over_mpi::provider

#include <mpit/begin.hpp>

#include <mpit/over_mpi/provider.hpp> // IWYU pragma: export

// The functions are defined over the provider, which has to be declared first.
#include <mpit/mpi_t.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
