/* Functions of a group that close it while a tool's call has called them: the call ends as it would, and the group
 * can be opened again. Memory that was released too early shows in a sanitizer, and with glibc.malloc.perturb. */
#include <mpit/declare.h>
#include <mpit/mpi_t.h>

#include "../mpi_t/control_variables.h"
#include "../mpi_t/performance_variables.h"
#include "tables.h"

static int limit = 1, closes;
static mpit_group* group;

static void close_once(void) {
    if (closes-- > 0) mpit_close(group);
}
static mpit_reply accept(const void* value, void* data) { return (void)value, (void)data, close_once(), MPIT_ACCEPTED; }
static unsigned long long element(uint64_t handle, unsigned number, void* data) {
    return (void)handle, (void)data, close_once(), 10 + number;
}
static void watch(int change, void* data) {
    (void)data;
    if (change > 0) close_once();
}

static void open_group(void) {
    static const mpit_control controls[] = {MPIT_ROW_INT("SELF_LIMIT", &limit, "", .on_write = accept), MPIT_ROW_END};
    static const mpit_performance measures[] = {
        MPIT_ROW_GET_AT(LEVEL, UNSIGNED_LONG, "self_elements", element, "", .count = 3, .on_watch = watch),
        MPIT_ROW_END};
    closes = 0;
    group = mpit_open(NULL, "self_closing", "", NULL);
    CHECK(mpit_add_controls(group, controls, NULL) == 0);
    CHECK(mpit_add_performance(group, measures, NULL) == 0);
    CHECK(mpit_publish(group) == 0);
}
static void close_in_write(void) {
    int value = 7, read = 0;
    open_group();
    MPI_T_cvar_handle handle = handle_of("SELF_LIMIT");
    closes = 1;
    CHECK(MPI_T_cvar_write(handle, &value) == MPI_SUCCESS);
    CHECK(closes == 0 && limit == 7);
    CHECK(MPI_T_cvar_read(handle, &read) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
}
static void close_in_read(int at_start) {
    unsigned long values[3] = {0};
    open_group();
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle handle = measured(session, "self_elements", MPI_T_PVAR_CLASS_LEVEL, NULL, 3);
    closes = at_start;
    CHECK(MPI_T_pvar_start(session, handle) == MPI_SUCCESS);
    closes = !at_start;
    const int code = MPI_T_pvar_read(session, handle, values);
    CHECK(at_start ? code == MPI_T_ERR_INVALID_HANDLE : code == MPI_SUCCESS && values[0] == 10 && values[2] == 12);
    if (at_start) closes = 0;
    CHECK(MPI_T_pvar_read(session, handle, values) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

int test_self_closing(void) {
    round_name = "functions that close their group";
    begin_tool();
    for (int i = 0; i < 3; i++) {
        close_in_write();
        close_in_read(0);
        close_in_read(1);
    }
    open_group();
    mpit_close(group);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
