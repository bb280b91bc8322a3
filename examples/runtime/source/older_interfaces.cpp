// The tool interface before it was a standard, for tools of that time: the functions MPIT_ of the draft of 2011 and
// MPIT_Taxon_ of the proposal of 2010. They show the same variables; mpi.h includes their header.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/compat.hpp>
