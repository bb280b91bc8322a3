/* A client in C of a library whose functions are called LCI_T_ and PLCI_T_, and not MPI_T_. */
/* [PMPI-01] With a prefix of the library's own every function exists under both names with that prefix. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#define MPIT_C_PREFIX LCI_T_
#include <mpit/mpi_t.h>

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

/* [INFO-24] Under such a prefix the functions on info objects have it too, and those for Fortran; nothing of MPI's is
 * exported. */
#define LOOK_FOR_INFO(name)                                                                                            \
    expect(dlsym(RTLD_DEFAULT, "LCI_T_info_" #name) != NULL, "not exported", "LCI_T_info_" #name);                     \
    expect(dlsym(RTLD_DEFAULT, "PLCI_T_info_" #name) != NULL, "not exported", "PLCI_T_info_" #name);                   \
    expect(dlsym(RTLD_DEFAULT, "MPI_Info_" #name) == NULL, "exported", "MPI_Info_" #name);                             \
    expect(dlsym(RTLD_DEFAULT, "PMPI_Info_" #name) == NULL, "exported", "PMPI_Info_" #name);                           \
    expect(dlsym(RTLD_DEFAULT, "lci_t_info_" #name "_") != NULL, "not exported", "lci_t_info_" #name "_");             \
    expect(dlsym(RTLD_DEFAULT, "plci_t_info_" #name "_") != NULL, "not exported", "plci_t_info_" #name "_");           \
    expect(dlsym(RTLD_DEFAULT, "mpi_info_" #name "_") == NULL, "exported", "mpi_info_" #name "_");                     \
    expect(dlsym(RTLD_DEFAULT, "pmpi_info_" #name "_") == NULL, "exported", "pmpi_info_" #name "_");

static void use_an_info_object(void) {
    MPI_Info info = MPI_INFO_NULL;
    char value[8] = "";
    int size = sizeof value, found = 0;
    expect(LCI_T_info_create(&info) == MPI_SUCCESS, "failed", "info_create");
    expect(PLCI_T_info_set(info, "key", "value") == MPI_SUCCESS, "failed", "info_set");
    expect(LCI_T_info_get_string(info, "key", &size, value, &found) == MPI_SUCCESS && found, "failed",
           "info_get_string");
    expect(LCI_T_info_f2c(PLCI_T_info_c2f(info)) == info, "failed", "info_f2c");
    expect(LCI_T_info_delete(info, "none") == MPI_ERR_INFO_NOKEY, "succeeded", "info_delete");
    expect(LCI_T_info_free(&info) == MPI_SUCCESS && info == MPI_INFO_NULL, "failed", "info_free");
}

static void read_a_counter(void) {
    unsigned long long value = 0;
    int provided, index, count;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    expect(LCI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "failed", "init_thread");
    expect(LCI_T_pvar_get_index("lci_messages", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, "failed",
           "get_index");
    expect(LCI_T_pvar_session_create(&session) == MPI_SUCCESS, "failed", "session_create");
    expect(LCI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS, "failed", "handle_alloc");
    expect(PLCI_T_pvar_start(session, handle) == MPI_SUCCESS, "failed", "start");
    count_a_message();
    expect(LCI_T_pvar_read(session, handle, &value) == MPI_SUCCESS && value == 1, "did not count", "read");
    expect(PLCI_T_finalize() == MPI_SUCCESS, "failed", "finalize");
}

int main(void) {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    expect(dlsym(RTLD_DEFAULT, "LCI_T_" #name) != NULL, "not exported", "LCI_T_" #name);                               \
    expect(dlsym(RTLD_DEFAULT, "PLCI_T_" #name) != NULL, "not exported", "PLCI_T_" #name);                             \
    expect(dlsym(RTLD_DEFAULT, "MPI_T_" #name) == NULL, "exported", "MPI_T_" #name);                                   \
    expect(dlsym(RTLD_DEFAULT, "PMPI_T_" #name) == NULL, "exported", "PMPI_T_" #name);
#include <mpit/mpi_t/functions.def>
    EVERY_INFO_FUNCTION(LOOK_FOR_INFO)
    use_an_info_object();
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
