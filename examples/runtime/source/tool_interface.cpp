// The tool information interface of the runtime: this file defines all MPI_T_ functions and their PMPI_T_ twins, with
// the types and constants of the runtime's own mpi.h.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/c/mpi_t.hpp>
