#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/collective.hpp>

#include <cstdio>

void sum_up() {
@block@
}
