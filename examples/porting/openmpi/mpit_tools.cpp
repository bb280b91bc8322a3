/* SPDX-License-Identifier: BSD-3-Clause */
// The functions of MPI_T: one object over Open MPI's mpi.h for libmpi, and one over that of the ABI for libmpi_abi.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/mpi_t.hpp>

// mpit_variables.c is compiled over Open MPI's header for both, and the ABI has other numbers.
extern "C" __attribute__((visibility("hidden"))) const int mpit_cannot_init = MPI_T_ERR_CANNOT_INIT;
