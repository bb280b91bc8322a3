/* Starts and ends an MPI through the functions for Fortran under the names of one compiler. Its exit status is 7.
 *
 *   fortran_names 0|1|2|3      mpi_init_, mpi_init__, mpi_init, MPI_INIT */
#include <stdio.h>
#include <stdlib.h>

typedef void function(int* error);

function mpi_init_, mpi_init__, mpi_init, MPI_INIT, mpi_finalize_, mpi_finalize__, mpi_finalize, MPI_FINALIZE;

int main(int argc, char** argv) {
    function* const starts[] = {mpi_init_, mpi_init__, mpi_init, MPI_INIT};
    function* const ends[] = {mpi_finalize_, mpi_finalize__, mpi_finalize, MPI_FINALIZE};
    const int which = argc == 2 ? atoi(argv[1]) & 3 : 0;
    int error = -1;
    starts[which](&error);
    printf("init %d\n", error);
    ends[which](&error);
    printf("finalize %d\n", error);
    return 7;
}
