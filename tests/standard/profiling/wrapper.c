/* What a profiling tool does: a strong function of its own for one name of the interface, which counts and passes the
 * call on under the profiling name. It is linked into a program, or loaded in front of one with LD_PRELOAD. */
/* [PMPI-02] A tool defines one function itself and the rest resolves as before. */
#include <mpit/mpi_t.h>

int calls_seen_by_the_wrapper = 0;

int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
    calls_seen_by_the_wrapper++;
    return PMPI_T_pvar_read(session, handle, buf);
}
