#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/stack/across.hpp>

#include <cstdio>

void sum_up() {
@block@
}
