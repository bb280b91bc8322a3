// The functions of the interface on top of the MPI: tools see the MPI's variables and those of all libraries.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/over_mpi.hpp>
