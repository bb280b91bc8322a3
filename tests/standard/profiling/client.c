/* A client in C of the library of three source files as a shared object. A profiling tool may stand in front of it by
 * LD_PRELOAD, and then sees each call of this client once.
 *
 *   client <calls that a tool shall see; 0 when there is none>
 */
/* [PMPI-05] A tool that LD_PRELOAD puts in front of a shared library sees each call once. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <mpit/mpi_t.h>

#include "../functions.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void count_a_message(void);
int read_beside_the_definition(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);

/* Both names of every function are exported by what is loaded, also of those on info objects, for which it asks. */
static int missing_functions(void) {
    int missing = 0;
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    missing += dlsym(RTLD_DEFAULT, "MPI_T_" #name) == NULL || dlsym(RTLD_DEFAULT, "PMPI_T_" #name) == NULL;
#include <mpit/mpi_t/functions.def>
#define IS_MISSING(name)                                                                                               \
    missing += dlsym(RTLD_DEFAULT, "MPI_Info_" #name) == NULL || dlsym(RTLD_DEFAULT, "PMPI_Info_" #name) == NULL;
    EVERY_INFO_FUNCTION(IS_MISSING)
    return missing;
}

static int calls_seen(void) {
    const int* const seen = dlsym(RTLD_DEFAULT, "calls_seen_by_the_wrapper");
    return seen != NULL ? *seen : 0;
}

int main(int argc, char** argv) {
    const int expected = argc > 1 ? atoi(argv[1]) : 0;
    unsigned long long direct = 0, inside = 0, profiled = 0;
    int provided, index, count, failures = missing_functions();
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    failures += MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS;
    failures += MPI_T_pvar_get_index("messages", MPI_T_PVAR_CLASS_COUNTER, &index) != MPI_SUCCESS;
    failures += MPI_T_pvar_session_create(&session) != MPI_SUCCESS;
    failures += MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) != MPI_SUCCESS;
    failures += MPI_T_pvar_start(session, handle) != MPI_SUCCESS;
    count_a_message();
    failures += MPI_T_pvar_read(session, handle, &direct) != MPI_SUCCESS;
    failures += read_beside_the_definition(session, handle, &inside) != MPI_SUCCESS;
    failures += PMPI_T_pvar_read(session, handle, &profiled) != MPI_SUCCESS;
    failures += MPI_T_pvar_readreset(session, handle, &profiled) != MPI_SUCCESS;
    failures += direct != 1 || inside != 1 || profiled != 1;
    failures += MPI_T_finalize() != MPI_SUCCESS;
    failures += calls_seen() != expected;
    printf("%d failures; a tool saw %d calls, expected %d\n", failures, calls_seen(), expected);
    return failures != 0;
}
