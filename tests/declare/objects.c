/* Control variables of MPI objects in C: communicators, whose handles are addresses, and windows, whose handles are
 * numbers. */
#include <mpit/declare.h>

#include "../mpi_t/control_variables.h"
#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>

static struct communicator {
    bool is_there;
    int limit;
    bool copies;
    int eager; /* a switch */
    int algorithm;
    size_t piece;
    double weights[3];
} world = {true, 64, true, 7, 1, 4096, {0.5, 0.25, 0.25}}, self = {true, 8, false, 0, 0, 512, {1, 0, 0}};
static struct window {
    unsigned depth;
} windows[2] = {{3}, {4}};

static int of_data;
static void* communicator_of(uint64_t handle, void* data) {
    struct communicator* const found = handle == (uint64_t)(uintptr_t)&world  ? &world
                                       : handle == (uint64_t)(uintptr_t)&self ? &self
                                                                              : NULL;
    return data == &of_data && found != NULL && found->is_there ? found : NULL;
}
/* Windows are numbered from 10. */
static void* window_of(uint64_t handle, void* data) {
    (void)data;
    return handle == 10 || handle == 11 ? &windows[handle - 10] : NULL;
}
static uint64_t asked_handle;
static int asked_value;
static mpit_reply may_change(uint64_t handle, const void* value, void* data) {
    asked_handle = handle;
    asked_value = *(const int*)value;
    return data != &of_data || asked_value == 13 ? MPIT_NEVER : asked_value == 14 ? MPIT_NOT_NOW : MPIT_ACCEPTED;
}

static const mpit_item algorithm_items[] = {{"ring", 0, NULL}, {"tree", 1, NULL}, {NULL, 0, NULL}};
static const mpit_enumeration algorithms = {"tests_object_algorithm", algorithm_items};
#define OF_COMMUNICATORS .bind = MPIT_BIND_COMM, .handle_size = sizeof(struct communicator*)
static const mpit_control controls[] = {
    MPIT_ROW_IN_OBJECT(INT, "TESTS_COMM_LIMIT", struct communicator, limit, communicator_of, "Most messages",
                       OF_COMMUNICATORS, .range = {0, 100}, .on_write_in = may_change),
    MPIT_ROW_IN_OBJECT(BOOL, "TESTS_COMM_COPIES", struct communicator, copies, communicator_of, "Whether to copy",
                       OF_COMMUNICATORS, .scope = MPIT_READONLY),
    MPIT_ROW_IN_OBJECT(SWITCH, "TESTS_COMM_EAGER", struct communicator, eager, communicator_of, "Whether at once",
                       OF_COMMUNICATORS, .on_write_in = may_change),
    MPIT_ROW_IN_OBJECT(CHOICE, "TESTS_COMM_ALGORITHM", struct communicator, algorithm, communicator_of, "How to reduce",
                       OF_COMMUNICATORS, .enumeration = &algorithms),
    MPIT_ROW_IN_OBJECT(UNSIGNED_LONG, "TESTS_COMM_PIECE", struct communicator, piece, communicator_of,
                       "Bytes copied at once", OF_COMMUNICATORS, .unit = MPIT_BYTES),
    MPIT_ROW_IN_OBJECT(DOUBLE, "TESTS_COMM_WEIGHTS", struct communicator, weights[0], communicator_of,
                       "Of three queues", OF_COMMUNICATORS, .count = 3, .real_range = {0, 1}),
    MPIT_ROW_IN_OBJECT(UNSIGNED, "TESTS_WIN_DEPTH", struct window, depth, window_of, "Operations under way",
                       .bind = MPIT_BIND_WIN, .handle_size = sizeof(int), .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_END};

static struct communicator* const world_handle = &world;
static struct communicator* const self_handle = &self;
static MPI_T_cvar_handle bound(const char* name, const void* object, int elements) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    CHECK(MPI_T_cvar_handle_alloc(index_of(name), (void*)(uintptr_t)object, &handle, &count) == MPI_SUCCESS &&
          count == elements);
    return handle;
}
static int refused_handle(const char* name, const void* object) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    return MPI_T_cvar_handle_alloc(index_of(name), (void*)(uintptr_t)object, &handle, &count);
}

static void check_attributes(void) {
    MPI_Datatype type = MPI_CHAR;
    int bind = -1, scope = -1, verbosity = -1;
    round_name = "attributes";
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_COMM_LIMIT"), NULL, NULL, NULL, &type, NULL, NULL, NULL, &bind, &scope) ==
          MPI_SUCCESS);
    CHECK(bind == MPI_T_BIND_MPI_COMM && type == MPI_INT && scope == MPI_T_SCOPE_LOCAL);
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_WIN_DEPTH"), NULL, NULL, &verbosity, &type, NULL, NULL, NULL, &bind,
                              NULL) == MPI_SUCCESS);
    CHECK(bind == MPI_T_BIND_MPI_WIN && type == MPI_UNSIGNED && verbosity == MPI_T_VERBOSITY_TUNER_BASIC);
}

/* [BIND-02][BIND-13] Each object has a value; the handle of the object is fetched once. */
static void check_values(void) {
    struct communicator* local = &world;
    const int window_handle = 11;
    int value = -1;
    unsigned depth = 0;
    round_name = "values of two objects";
    MPI_T_cvar_handle of_world = bound("TESTS_COMM_LIMIT", &local, 1),
                      of_self = bound("TESTS_COMM_LIMIT", &self_handle, 1);
    local = &self;
    CHECK(MPI_T_cvar_read(of_world, &value) == MPI_SUCCESS && value == 64);
    CHECK(MPI_T_cvar_read(of_self, &value) == MPI_SUCCESS && value == 8);
    value = 50;
    CHECK(MPI_T_cvar_write(of_self, &value) == MPI_SUCCESS && self.limit == 50 && world.limit == 64);
    CHECK(asked_handle == (uint64_t)(uintptr_t)&self && asked_value == 50);
    world.limit = 7; /* the library changes it */
    CHECK(MPI_T_cvar_read(of_world, &value) == MPI_SUCCESS && value == 7);
    MPI_T_cvar_handle of_window = bound("TESTS_WIN_DEPTH", &window_handle, 1);
    depth = 9;
    CHECK(MPI_T_cvar_write(of_window, &depth) == MPI_SUCCESS && windows[0].depth == 3 && windows[1].depth == 9);
    CHECK(MPI_T_cvar_handle_free(&of_world) == MPI_SUCCESS && MPI_T_cvar_handle_free(&of_self) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_free(&of_window) == MPI_SUCCESS);
}

static void check_types(void) {
    int value = -1;
    size_t piece = 0;
    double weights[3] = {9, 9, 9};
    round_name = "types";
    MPI_T_cvar_handle copies = bound("TESTS_COMM_COPIES", &world_handle, 1),
                      eager = bound("TESTS_COMM_EAGER", &world_handle, 1),
                      algorithm = bound("TESTS_COMM_ALGORITHM", &world_handle, 1),
                      size = bound("TESTS_COMM_PIECE", &world_handle, 1),
                      parts = bound("TESTS_COMM_WEIGHTS", &world_handle, 3);
    CHECK(MPI_T_cvar_read(copies, &value) == MPI_SUCCESS && value == 1);
    CHECK(MPI_T_cvar_read(eager, &value) == MPI_SUCCESS && value == 1);
    value = 0;
    CHECK(MPI_T_cvar_write(eager, &value) == MPI_SUCCESS && world.eager == 0 && asked_value == 0);
    value = 0;
    CHECK(MPI_T_cvar_write(algorithm, &value) == MPI_SUCCESS && world.algorithm == 0 && self.algorithm == 0);
    value = 2;
    CHECK(MPI_T_cvar_write(algorithm, &value) == MPI_T_ERR_INVALID && world.algorithm == 0);
    CHECK(MPI_T_cvar_read(size, &piece) == MPI_SUCCESS && piece == 4096);
    CHECK(MPI_T_cvar_read(parts, weights) == MPI_SUCCESS && weights[0] == 0.5 && weights[2] == 0.25);
    weights[1] = 0.75;
    CHECK(MPI_T_cvar_write(parts, weights) == MPI_SUCCESS && world.weights[1] == 0.75 && self.weights[1] == 0);
    weights[0] = 0.125, weights[2] = 2;
    CHECK(MPI_T_cvar_write(parts, weights) == MPI_T_ERR_INVALID && world.weights[0] == 0.5);
    MPI_T_cvar_handle* const all[] = {&copies, &eager, &algorithm, &size, &parts};
    for (int i = 0; i < 5; i++) CHECK(MPI_T_cvar_handle_free(all[i]) == MPI_SUCCESS);
}

/* [BIND-14] An object that there is not, and what a write answers. */
static void check_codes(void) {
    struct communicator* none = NULL;
    const int window_handle = 12;
    int value = 101;
    round_name = "codes";
    CHECK(refused_handle("TESTS_COMM_LIMIT", NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(refused_handle("TESTS_COMM_LIMIT", &none) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(refused_handle("TESTS_WIN_DEPTH", &window_handle) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_cvar_handle limit = bound("TESTS_COMM_LIMIT", &world_handle, 1),
                      copies = bound("TESTS_COMM_COPIES", &world_handle, 1);
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_T_ERR_INVALID);
    value = 13;
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_T_ERR_CVAR_SET_NEVER);
    value = 14;
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_T_ERR_CVAR_SET_NOT_NOW && world.limit == 7);
    value = 0;
    CHECK(MPI_T_cvar_write(copies, &value) == MPI_T_ERR_CVAR_SET_NEVER && world.copies);
    world.is_there = false; /* it is freed */
    CHECK(MPI_T_cvar_read(limit, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(refused_handle("TESTS_COMM_LIMIT", &world_handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_free(&limit) == MPI_SUCCESS && MPI_T_cvar_handle_free(&copies) == MPI_SUCCESS);
    world.is_there = true;
}

int test_objects(void) {
    round_name = "groups";
    begin_tool();
    for (int i = 0; i < 2; i++) {
        mpit_group* const group = mpit_open(NULL, "tests_objects", "Of objects", NULL);
        CHECK(mpit_add_controls(group, controls, &of_data) == 0 && mpit_publish(group) == 0);
        if (i == 0) check_attributes();
        if (i == 0) check_values();
        if (i == 0) check_types();
        check_codes();
        MPI_T_cvar_handle handle = bound("TESTS_COMM_LIMIT", &world_handle, 1);
        int value = 0;
        mpit_close(group);
        round_name = "closed groups";
        CHECK(MPI_T_cvar_read(handle, &value) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
