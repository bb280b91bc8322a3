/* Variables of many elements in C whose values a function writes at once: an operation on n elements takes n steps. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>

enum { process_count = 300, queue_count = 3 };

/* What the library computes, and how much the function was asked for. */
static unsigned long bytes[process_count];
static unsigned depth[queue_count] = {1, 2, 3};
static int calls;
static unsigned asked;
static void bytes_of(uint64_t handle, unsigned first, unsigned count, void* values, void* data) {
    calls++;
    asked += count;
    for (unsigned i = 0; i < count; i++)
        ((unsigned long*)values)[i] = handle == 7 && data == &asked ? bytes[first + i] : 0;
}
static unsigned processes_of(uint64_t handle, void* data) {
    (void)data;
    return handle == 7 ? process_count : 0;
}
static void depths(uint64_t handle, unsigned first, unsigned count, void* values, void* data) {
    (void)handle;
    (void)data;
    calls++;
    for (unsigned i = 0; i < count; i++) ((unsigned*)values)[i] = depth[first + i];
}
static double second;
static void seconds(uint64_t handle, unsigned first, unsigned count, void* values, void* data) {
    (void)handle;
    (void)data;
    for (unsigned i = 0; i < count; i++) ((double*)values)[i] = second * (first + i);
}

/* A second operation on the handle comes between the words of the first one and its states. */
static MPI_T_pvar_session nested_session;
static MPI_T_pvar_handle nested_handle;
static unsigned long long total[2], nested[2];
static bool is_nested;
static void totals(uint64_t handle, unsigned first, unsigned count, void* values, void* data) {
    (void)handle;
    (void)data;
    for (unsigned i = 0; i < count; i++) ((unsigned long long*)values)[i] = total[first + i];
    if (nested_handle == MPI_T_PVAR_HANDLE_NULL || is_nested) return;
    is_nested = true;
    total[0] += 2;
    CHECK(MPI_T_pvar_readreset(nested_session, nested_handle, nested) == MPI_SUCCESS);
}

static const mpit_performance measures[] = {
    MPIT_ROW_GET_ALL(AGGREGATE, UNSIGNED_LONG, "tests_bytes_to", bytes_of, "Bytes to each process",
                     .bind = MPIT_BIND_COMM, .handle_size = sizeof(int), .elements = processes_of, .data = &asked),
    MPIT_ROW_GET_ALL(LEVEL, UNSIGNED, "tests_depths", depths, "Messages in each queue", .count = queue_count),
    MPIT_ROW_GET_ALL(TIMER, DOUBLE, "tests_seconds", seconds, "Seconds of each queue", .count = queue_count,
                     .continuous = true),
    MPIT_ROW_GET_ALL(COUNTER, UNSIGNED_LONG_LONG, "tests_totals", totals, "Messages", .count = 2),
    MPIT_ROW_GET_ALL(LEVEL, UNSIGNED, "tests_one_depth", depths, "Messages in the first queue"),
    MPIT_ROW_END};

/* Three calls, of at most 128 elements each, for 300 elements: whatever the operation is. */
static void expect_steps(void) {
    CHECK(calls == 3 && asked == process_count);
    calls = 0;
    asked = 0;
}
static void check_steps(MPI_T_pvar_session session) {
    int communicator = 7;
    unsigned long values[process_count], again[process_count];
    round_name = "steps";
    bytes[4] = 100; /* before the start */
    const MPI_T_pvar_handle handle =
        measured(session, "tests_bytes_to", MPI_T_PVAR_CLASS_AGGREGATE, &communicator, process_count);
    calls = 0;
    asked = 0;
    CHECK(MPI_T_pvar_read(session, handle, values) == MPI_SUCCESS && values[4] == 0 && calls == 0); /* it is stopped */
    CHECK(MPI_T_pvar_start(session, handle) == MPI_SUCCESS);
    expect_steps();
    for (int i = 0; i < process_count; i++) bytes[i] += (unsigned long)i;
    CHECK(MPI_T_pvar_read(session, handle, values) == MPI_SUCCESS);
    expect_steps();
    for (int i = 0; i < process_count; i++) CHECK(values[i] == (unsigned long)i);
    CHECK(MPI_T_pvar_readreset(session, handle, again) == MPI_SUCCESS && again[299] == 299);
    expect_steps();
    bytes[200] += 5;
    CHECK(MPI_T_pvar_stop(session, handle) == MPI_SUCCESS);
    expect_steps();
    bytes[200] += 50;
    CHECK(MPI_T_pvar_read(session, handle, values) == MPI_SUCCESS && values[200] == 5 && values[299] == 0 &&
          calls == 0);
    CHECK(MPI_T_pvar_write(session, handle, again) == MPI_SUCCESS && calls == 0);
    CHECK(MPI_T_pvar_start(session, handle) == MPI_SUCCESS);
    bytes[200] += 1;
    CHECK(MPI_T_pvar_read(session, handle, values) == MPI_SUCCESS && values[200] == 201 && values[4] == 4);
}

static void check_types(MPI_T_pvar_session session) {
    unsigned levels[queue_count] = {9, 9, 9}, one = 9;
    double times[queue_count] = {9, 9, 9};
    round_name = "types";
    const MPI_T_pvar_handle of_queues = measured(session, "tests_depths", MPI_T_PVAR_CLASS_LEVEL, NULL, queue_count),
                            of_times = measured(session, "tests_seconds", MPI_T_PVAR_CLASS_TIMER, NULL, queue_count),
                            of_one = measured(session, "tests_one_depth", MPI_T_PVAR_CLASS_LEVEL, NULL, 1);
    CHECK(MPI_T_pvar_start(session, of_queues) == MPI_SUCCESS && MPI_T_pvar_start(session, of_one) == MPI_SUCCESS);
    depth[2] = 30;
    second = 0.5;
    calls = 0;
    CHECK(MPI_T_pvar_read(session, of_queues, levels) == MPI_SUCCESS && calls == 1);
    CHECK(levels[0] == 1 && levels[1] == 2 && levels[2] == 30);
    CHECK(MPI_T_pvar_read(session, of_one, &one) == MPI_SUCCESS && one == 1);
    CHECK(MPI_T_pvar_read(session, of_times, times) == MPI_SUCCESS && times[0] == 0 && times[1] == 0.5 &&
          times[2] == 1);
}

/* A word that is older than the state that another operation has left is not used: 2 would be less than nothing. */
static void check_interruption(MPI_T_pvar_session session) {
    unsigned long long values[2] = {9, 9};
    round_name = "an operation inside of another one";
    const MPI_T_pvar_handle handle = measured(session, "tests_totals", MPI_T_PVAR_CLASS_COUNTER, NULL, 2);
    CHECK(MPI_T_pvar_start(session, handle) == MPI_SUCCESS);
    total[0] = 10, total[1] = 20;
    nested_session = session;
    nested_handle = handle;
    CHECK(MPI_T_pvar_readreset(session, handle, values) == MPI_SUCCESS);
    CHECK(nested[0] == 12 && nested[1] == 20 && values[0] == 0 && values[1] == 0);
    nested_handle = MPI_T_PVAR_HANDLE_NULL;
}

int test_elements(void) {
    round_name = "groups";
    begin_tool();
    mpit_group* const group = mpit_open(NULL, "tests_elements", "Of many elements", NULL);
    CHECK(mpit_add_performance(group, measures, NULL) == 0 && mpit_publish(group) == 0);
    MPI_T_pvar_session session = begin_session();
    check_steps(session);
    check_types(session);
    check_interruption(session);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    mpit_close(group);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
