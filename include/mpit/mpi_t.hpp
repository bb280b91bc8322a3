// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of the MPI tool information interface over the registry of the process. One .cpp of a library
// includes this header. If several source files include this header, the linker keeps the first definition of each
// function. If a real MPI serves the process and MPIT_MPI_HEADER is not defined, each function passes its call on to
// the MPI. The headers in mpit/mpi_t correspond to sections of MPI-5.0. The async-signal-safe functions are
// MPI_T_pvar_start, stop, read, write, reset and readreset, MPI_T_event_copy, event_read, event_get_source and
// event_get_timestamp, and MPI_T_source_get_timestamp.
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
