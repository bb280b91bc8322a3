// SPDX-License-Identifier: BSD-3-Clause
// The roof: defines the functions of the MPI tool information interface over the library's index. Include it in one .cpp
// of a library; in several the linker takes the first. Where a real MPI serves the process and no MPIT_MPI_HEADER is given,
// each call is passed on to the MPI. Each function stands under its synopsis in the file of its section of MPI-5.0.
// In signal handlers a tool may call those that use a handle on a performance variable, those that look at an instance of an
// event, and MPI_T_source_get_timestamp, and no others.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/mpi_t.hpp>
#pragma once

#include <mpit/mpi_t/category.hpp>
#include <mpit/mpi_t/control.hpp>
#include <mpit/mpi_t/enumeration.hpp>
#include <mpit/mpi_t/event.hpp>
#include <mpit/mpi_t/event_registration.hpp>
#include <mpit/mpi_t/info.hpp>
#include <mpit/mpi_t/initialization.hpp>
#include <mpit/mpi_t/object_name.hpp>
#include <mpit/mpi_t/performance.hpp>
#include <mpit/mpi_t/source.hpp>
#ifdef MPIT_FORTRAN_NAMES
#include <mpit/mpi_t/fortran.hpp>
#endif
#include <mpit/report_handler.hpp>
