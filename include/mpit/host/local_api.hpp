// SPDX-License-Identifier: BSD-3-Clause
// The shims for this shared object alone, as mpit::own::cvar_get_num and so on: they export no name. Shims on top of a
// host call them for the library's own variables.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/host/local_api.hpp>
#pragma once

#ifdef MPIT_C_FUNCTION
#error "a source file includes either mpit/mpi_t.hpp or mpit/over_mpi.hpp, and mpit/compat.hpp after it"
#endif
#define MPIT_C_IS_OWN 1

#include <mpit/mpi_t.hpp> // IWYU pragma: export
