/* What the MPI of the binary interface of MPI-5.0 calls itself, in a library that is made of the miniature runtime. */
#include <mpi.h>

#include <string.h>

int MPI_Get_library_version(char* version, int* length) {
    strcpy(version, OTHER_NAME);
    *length = (int)strlen(version);
    return MPI_SUCCESS;
}
