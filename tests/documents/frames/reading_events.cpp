#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/tool/over_mpi.hpp>

int main() {
    mpit::tool::library<mpit::tool::over_mpi> interface;
    unsigned long total = 0;
@block@
    return arrivals && total != 0;
}
