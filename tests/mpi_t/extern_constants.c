/* Constant handles that are objects of the library: all handles of a session are meant by one, and a handle that was
 * freed has the value of another. */
#include "mpi_of_extern_constants.h"

#include "check.h"

void count_served(void);

static MPI_T_pvar_session session;

static MPI_T_pvar_handle handle_of(const char* name) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_ALL_HANDLES;
    int index = -1, count = 0;
    CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS);
    return handle;
}
static unsigned long value_of(MPI_T_pvar_handle handle) {
    unsigned long value = 77;
    CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
    return value;
}

static void check_performance_variables(void) {
    MPI_T_pvar_handle sent, received, null_handle;
    round_name = "performance variables";
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    sent = handle_of("served_sent");
    received = handle_of("served_received");
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    count_served();
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    count_served();
    CHECK(value_of(sent) == 1);
    CHECK(value_of(received) == 1);
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(value_of(received) == 0);
    CHECK(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &sent) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_free(session, &received) == MPI_SUCCESS);
    CHECK(received == MPI_T_PVAR_HANDLE_NULL);
    null_handle = MPI_T_PVAR_HANDLE_NULL;
    CHECK(MPI_T_pvar_start(session, null_handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_free(session, &null_handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_INVALID_SESSION);
}

static void check_control_variables(void) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_enum enumeration = NULL;
    int index = -1, count = 0, value = 0;
    round_name = "control variables";
    CHECK(MPI_T_cvar_get_index("SERVED_LIMIT", &index) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &enumeration, NULL, NULL, NULL, NULL) == MPI_SUCCESS);
    CHECK(enumeration == MPI_T_ENUM_NULL);
    CHECK(MPI_T_enum_get_info(enumeration, &count, NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS);
    CHECK(value == 5);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_T_ERR_INVALID_HANDLE);
}

int main(void) {
    int provided = 0;
    round_name = "initialization";
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    check_performance_variables();
    check_control_variables();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
