/* A library that a user preloads: it stands before MPI_Init and MPI_Finalize, as a tool that profiles does. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>

int MPI_Init(int* argc, char*** argv) {
    const int code = PMPI_Init(argc, argv);
    printf("profiler begins %d\n", code);
    fflush(stdout);
    return code;
}
int MPI_Finalize(void) {
    printf("profiler ends\n");
    fflush(stdout);
    return PMPI_Finalize();
}
