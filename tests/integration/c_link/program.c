/* A program in C, of a C compiler and its linker, which reads what the library counts. The exit status is 0 when all
 * is well. */
#include <mpit/mpi_t.h>

#include <stddef.h>

void call_linked(unsigned long bytes);

int main(void) {
    int provided = 0, index = -1, elements = 0;
    unsigned long long value = 0;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 1;
    if (MPI_T_pvar_get_index("linked_calls", MPI_T_PVAR_CLASS_COUNTER, &index) != MPI_SUCCESS) return 2;
    if (MPI_T_pvar_session_create(&session) != MPI_SUCCESS) return 3;
    if (MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &elements) != MPI_SUCCESS) return 4;
    if (MPI_T_pvar_start(session, handle) != MPI_SUCCESS) return 5;
    for (unsigned long i = 0; i < 1000; i++) call_linked(i);
    if (MPI_T_pvar_read(session, handle, &value) != MPI_SUCCESS || value != 1000) return 6;
    if (MPI_T_pvar_session_free(&session) != MPI_SUCCESS) return 7;
    return MPI_T_finalize() == MPI_SUCCESS ? 0 : 8;
}
