// SPDX-License-Identifier: BSD-3-Clause
// The shims: defines the functions of the MPI tool information interface over the registry. Include it in one .cpp of a
// library; if several include it, the linker keeps the first definition. If a real MPI serves the process and
// MPIT_MPI_HEADER is not defined, each call is passed on to the MPI. Each section of MPI-5.0 has a file, in which the
// body of each function follows its synopsis.
// Only the functions that use a handle of a performance variable, those that read an instance of an event, and
// MPI_T_source_get_timestamp are async-signal-safe.
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
