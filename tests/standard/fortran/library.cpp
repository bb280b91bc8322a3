// A library without an MPI, whose info objects Fortran can use.
#define MPIT_FORTRAN_NAMES one_underscore
#include <mpit/mpi_t.hpp>
