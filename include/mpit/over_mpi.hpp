// SPDX-License-Identifier: BSD-3-Clause
// The shims on top of a real MPI: defines the functions of the MPI tool information interface over the variables of the
// MPI, the host, and ours, in one index space. Include it in one .cpp of a library that is linked before the MPI, or
// preloaded, with MPIT_MPI_HEADER defined; the library is compiled once for each MPI.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/over_mpi.hpp>
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/over_mpi/category.hpp> // IWYU pragma: export
#include <mpit/over_mpi/control.hpp> // IWYU pragma: export
#include <mpit/over_mpi/enumeration.hpp> // IWYU pragma: export
#include <mpit/over_mpi/event.hpp> // IWYU pragma: export
#include <mpit/over_mpi/event_registration.hpp> // IWYU pragma: export
#include <mpit/over_mpi/initialization.hpp> // IWYU pragma: export
#include <mpit/over_mpi/performance.hpp> // IWYU pragma: export
#include <mpit/over_mpi/source.hpp> // IWYU pragma: export

#pragma GCC diagnostic pop
