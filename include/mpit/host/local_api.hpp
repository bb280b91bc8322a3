// SPDX-License-Identifier: BSD-3-Clause
// The functions of the roof for this shared object alone, as mpit::own::cvar_get_num and so on: they export no name. A roof
// that stands on top of another one calls them for the variables of the library.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/host/local_api.hpp>
#pragma once

#ifdef MPIT_C_FUNCTION
#error "a source file includes either mpit/mpi_t.hpp or mpit/over_mpi.hpp, and mpit/compat.hpp after it"
#endif
#define MPIT_C_IS_OWN 1

#include <mpit/mpi_t.hpp>
