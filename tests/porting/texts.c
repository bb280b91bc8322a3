/* A text that is longer than tools see, while tools write it and the library is opened again. The environment has
 * MPICH_LAB_HOST, of 1004 bytes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "cvars.h"

#include <mpit/mpi_t.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_host(const char* text) {
    int provided = 0, index = -1, count = 0;
    char value[384] = "";
    MPI_T_cvar_handle handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_index("MPIR_CVAR_LAB_HOST", &index);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    strncpy(value, text, sizeof value - 1);
    printf("%d bytes, written: %d, ", count, MPI_T_cvar_write(handle, value) == MPI_SUCCESS);
    MPI_T_cvar_handle_free(&handle);
    MPI_T_finalize();
}
static void print_host(const char* when) {
    printf("%s: %zu, %.4s\n", when, strlen(MPIR_CVAR_LAB_HOST), MPIR_CVAR_LAB_HOST);
}

int main(void) {
    cvars_open();
    print_host("opened");
    cvars_close();
    print_host("closed");
    const char* const before = MPIR_CVAR_LAB_HOST;
    cvars_open();
    print_host("opened again");
    printf("copied again: %d\n", MPIR_CVAR_LAB_HOST != before);
    cvars_close();
    unsetenv("MPICH_LAB_HOST");
    cvars_open();
    print_host("without the environment");
    write_host("tool");
    print_host("by a tool");
    cvars_close();
    setenv("MPICH_LAB_HOST", "short", 1);
    cvars_open();
    print_host("by a shorter one");
    cvars_close();
    return 0;
}
