@block@
#include <cstdio>

int main() {
    int provided = 0, index = 0, count = 0, refused = 0;
    unsigned long long sent = 0, deepest = 0;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle sent_handle, deepest_handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("lab_messages", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &sent_handle, &count);
    MPI_T_pvar_get_index("lab_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &deepest_handle, &count);
    MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);
    for (int i = 0; i < 10; i++) refused += !send(100);
    MPI_T_pvar_read(session, sent_handle, &sent);
    MPI_T_pvar_read(session, deepest_handle, &deepest);
    std::printf("%d refused, %llu sent, %llu under way at most\n", refused, sent, deepest);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}
