/* A plugin with an MPI of its own, for late.c. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>

int plugin_begin(void);
int plugin_begin(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, rank = -1;
    const int code = MPI_Init(NULL, NULL);
    MPI_Get_library_version(version, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("plugin begins %d, rank %d of %.8s\n", code, rank, version);
    fflush(stdout);
    return code;
}
int plugin_end(void);
int plugin_end(void) {
    const int code = MPI_Finalize();
    printf("plugin ends %d\n", code);
    fflush(stdout);
    return code;
}
