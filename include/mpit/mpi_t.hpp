// SPDX-License-Identifier: BSD-3-Clause
// The shims: defines the functions of the MPI tool information interface over the registry. Include it in one .cpp of a
// library; if several include it, the linker takes the first. Where a real MPI serves the process and no
// MPIT_MPI_HEADER is defined, each call is passed on to the MPI. Each function follows its synopsis in the file of its
// section of MPI-5.0.
// Async-signal-safe are the functions that use a handle on a performance variable, those that read an instance of an
// event, and MPI_T_source_get_timestamp, and no others.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/mpi_t.hpp>
#pragma once

#include <mpit/begin.hpp>

#include <mpit/mpi_t/entries.hpp>     // IWYU pragma: export
#include <mpit/mpi_t/info.hpp>        // IWYU pragma: export
#include <mpit/mpi_t/object_name.hpp> // IWYU pragma: export
#ifdef MPIT_FORTRAN_NAMES
#include <mpit/mpi_t/fortran.hpp>
#endif
#include <mpit/report_handler.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
