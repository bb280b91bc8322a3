// Serves the variables to tools. Beside a real MPI the library is compiled once for each, with its mpi.h, and its
// variables stand behind the MPI's own; without an MPI it brings the tool interface itself.
#ifdef FABRIC_BESIDE_AN_MPI
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/over_mpi.hpp>
#else
#include <mpit/mpi_t.hpp>
#endif
