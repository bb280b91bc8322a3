#include <mpit/mpi_t.h>
#include <stdio.h>

static void show(const char* what, int code) {
    const char* name = code == MPI_SUCCESS                  ? "MPI_SUCCESS"
                     : code == MPI_T_ERR_INVALID            ? "MPI_T_ERR_INVALID"
                     : code == MPI_T_ERR_INVALID_INDEX      ? "MPI_T_ERR_INVALID_INDEX"
                     : code == MPI_T_ERR_INVALID_NAME       ? "MPI_T_ERR_INVALID_NAME"
                     : code == MPI_T_ERR_INVALID_HANDLE     ? "MPI_T_ERR_INVALID_HANDLE"
                     : code == MPI_T_ERR_CVAR_SET_NEVER     ? "MPI_T_ERR_CVAR_SET_NEVER"
                     : code == MPI_T_ERR_CVAR_SET_NOT_NOW   ? "MPI_T_ERR_CVAR_SET_NOT_NOW"
                     : code == MPI_T_ERR_PVAR_NO_STARTSTOP  ? "MPI_T_ERR_PVAR_NO_STARTSTOP"
                     : code == MPI_T_ERR_PVAR_NO_WRITE      ? "MPI_T_ERR_PVAR_NO_WRITE"
                                                            : "another code";
    printf("%s: %s\n", what, name);
}

static MPI_T_cvar_handle handle_of(const char* name) {
    int index = -1, elements;
    MPI_T_cvar_handle made = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS) MPI_T_cvar_handle_alloc(index, NULL, &made, &elements);
    return made;
}

int main(void) {
    int provided, elements, index, length = -7, verbosity, bind, scope, value;
    const int eight = 8, far_too_many = 1 << 30;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle window = handle_of("LAB_WINDOW"), version = handle_of("LAB_VERSION"), ports = handle_of("LAB_PORTS");
    MPI_T_pvar_session session;
    MPI_T_pvar_handle ticks;
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("lab_ticks", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, NULL, &ticks, &elements);
@block@
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return 0;
}
