/* A library that a user preloads: with it Open MPI 4.1.4 calls itself Open MPI 6, and the uses of its tool interface are
 * counted, which the end of the program prints. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>
#include <string.h>

static int uses;

int MPI_Get_library_version(char* text, int* length) {
    strcpy(text, "Open MPI v6.0.0");
    *length = (int)strlen(text);
    return MPI_SUCCESS;
}
int MPI_T_init_thread(int required, int* provided) {
    uses++;
    return PMPI_T_init_thread(required, provided);
}
int MPI_T_finalize(void) { return uses-- > 0 ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED; }
int MPI_Finalize(void) {
    fprintf(stderr, "%d uses\n", uses);
    return PMPI_Finalize();
}
