/* The MPI of the binary interface of MPI-5.0, made of the miniature runtime: its version of the library is
 * OTHER_NAME of the environment. */
#include <mpi.h>

#include <stdlib.h>
#include <string.h>

int MPI_Get_library_version(char* version, int* length) {
    const char* const name = getenv("OTHER_NAME");
    version[0] = '\0';
    if (name != NULL) strncat(version, name, MPI_MAX_LIBRARY_VERSION_STRING - 1);
    *length = (int)strlen(version);
    return MPI_SUCCESS;
}
