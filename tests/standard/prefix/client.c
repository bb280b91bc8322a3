/* A client in C of a library whose functions are called LCI_T_ and PLCI_T_, and not MPI_T_. */
/* [PMPI-01] With a prefix of the library's own every function exists under both names with that prefix. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#define MPIT_C_PREFIX LCI_T_
#include <mpit/c/mpi_t.h>

#define FUNCTION_PREFIX LCI_T_
#define PROFILING_PREFIX PLCI_T_
#include "../calls.h"

#include <dlfcn.h>
#include <stdio.h>

void count_a_message(void);

static int failures = 0;
static void expect(int true_or_false, const char* what, const char* name) {
    if (true_or_false) return;
    failures++;
    printf("%s: %s\n", name, what);
}

#define LOOK_FOR(name)                                                                                                 \
    expect(dlsym(RTLD_DEFAULT, "LCI_T_" #name) != NULL, "not exported", "LCI_T_" #name);                               \
    expect(dlsym(RTLD_DEFAULT, "PLCI_T_" #name) != NULL, "not exported", "PLCI_T_" #name);                             \
    expect(dlsym(RTLD_DEFAULT, "MPI_T_" #name) == NULL, "exported", "MPI_T_" #name);                                   \
    expect(dlsym(RTLD_DEFAULT, "PMPI_T_" #name) == NULL, "exported", "PMPI_T_" #name);

static void read_a_counter(void) {
    unsigned long long value = 0;
    int provided, index, count;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    expect(LCI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "failed", "init_thread");
    expect(LCI_T_pvar_get_index("lci_messages", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, "failed", "get_index");
    expect(LCI_T_pvar_session_create(&session) == MPI_SUCCESS, "failed", "session_create");
    expect(LCI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS, "failed", "handle_alloc");
    expect(PLCI_T_pvar_start(session, handle) == MPI_SUCCESS, "failed", "start");
    count_a_message();
    expect(LCI_T_pvar_read(session, handle, &value) == MPI_SUCCESS && value == 1, "did not count", "read");
    expect(PLCI_T_finalize() == MPI_SUCCESS, "failed", "finalize");
}

int main(void) {
    EVERY_FUNCTION(LOOK_FOR)
    for (int i = 1; i < function_count; i++) {
        set_arguments();
        expect(every_call[i].plain() == MPI_T_ERR_NOT_INITIALIZED, "open", every_call[i].name);
        expect(every_call[i].profiling() == MPI_T_ERR_NOT_INITIALIZED, "open", every_call[i].name);
        expect(arguments_are_untouched(), "changed its arguments", every_call[i].name);
    }
    read_a_counter();
    printf("%d failures\n", failures);
    return failures != 0;
}
