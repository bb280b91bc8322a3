/* Counts the control variables of an MPI, once as the standard has it and, where its header has the interface of
 * 2011, once so. */
#include <mpi.h>

#include <stdio.h>

int main(int argc, char** argv) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int provided, count = 0, before = 0, length;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Get_library_version(version, &length) != MPI_SUCCESS) return 1;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 1;
    if (MPI_T_cvar_get_num(&count) != MPI_SUCCESS) return 1;
    if (MPIT_Init() != MPIT_SUCCESS || MPIT_Controlvar_get_num(&before) != MPIT_SUCCESS) return 1;
    MPIT_Finalize();
    MPI_T_finalize();
    MPI_Finalize();
    printf("%.4s has variables: %s, in 2011: %s\n", version, count > 0 ? "yes" : "no", before > 0 ? "yes" : "no");
    return 0;
}
