@block@
#include <cstdio>

int main() {
    mpit::created(variables, MPI_COMM_WORLD);
    int provided = 0, index = 0, count = 0, limit = 0;
    unsigned long sent = 0, called = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle limit_handle;
    MPI_T_cvar_get_index("MYMPI_EAGER_LIMIT", &index);
    MPI_T_cvar_handle_alloc(index, nullptr, &limit_handle, &count);
    MPI_T_cvar_read(limit_handle, &limit);
    std::printf("MYMPI_EAGER_LIMIT = %d\n", limit);

    MPI_T_pvar_session session;
    MPI_T_pvar_handle sent_handle, called_handle;
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &sent_handle, &count);
    MPI_T_pvar_get_index("collective_calls", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, &comm, &called_handle, &count);
    MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);
    ++variables.sent;
    ++variables.sent;
    ++variables.collectives[comm];
    MPI_T_pvar_read(session, sent_handle, &sent);
    MPI_T_pvar_read(session, called_handle, &called);
    std::printf("%lu messages sent, %lu collective call on MPI_COMM_WORLD\n", sent, called);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}
