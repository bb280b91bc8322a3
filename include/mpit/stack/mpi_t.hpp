// SPDX-License-Identifier: BSD-3-Clause
// The roof on top of a real MPI: defines the functions of the MPI tool information interface over the variables of the MPI,
// the host, and ours, in one index space. Include it in one .cpp of a library that is linked before the MPI's, or preloaded,
// after saying which mpi.h it is compiled for; a library is compiled once for each MPI.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/stack/mpi_t.hpp>
#pragma once

#include <mpit/stack/category.hpp>
#include <mpit/stack/control.hpp>
#include <mpit/stack/enumeration.hpp>
#include <mpit/stack/event.hpp>
#include <mpit/stack/event_registration.hpp>
#include <mpit/stack/initialization.hpp>
#include <mpit/stack/performance.hpp>
#include <mpit/stack/source.hpp>
