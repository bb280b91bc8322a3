/* Groups of tables in C, as a component of a runtime opens and closes them, read and written as a tool does. The
 * environment has TESTS_C_DEPTH=12 and TESTS_OLD_LIMIT=77. */
#include <mpit/declare.h>

#include "../mpi_t/control_variables.h"
#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>
#include <stdio.h>
#include <string.h>

static int limit = 64, algorithm = 1, is_eager = 5;
static unsigned window = 8;
static size_t piece = 4096;
static double factor = 0.5;
static bool use_copies = true;
static char network[16] = "eth0";
static struct {
    int first, last;
} ports = {1024, 2048};
static double weights[3] = {0.5, 0.25, 0.25};
static mpit_reply answer = MPIT_ACCEPTED;
static const void* storage_of_answer;

static mpit_reply may_change(const void* value, void* storage) {
    storage_of_answer = storage;
    return *(const int*)value == 13 ? MPIT_NEVER : answer;
}

static mpit_reply may_not_begin_with_1(const void* values, void* storage) {
    return storage == weights && *(const double*)values == 1 ? MPIT_NEVER : MPIT_ACCEPTED;
}

static const mpit_item algorithm_items[] = {{"ring", 0, NULL}, {"tree", 1, "binomial"}, {NULL, 0, NULL}};
static const mpit_enumeration algorithms = {"tests_algorithm", algorithm_items};

static const mpit_control controls[] = {
    MPIT_ROW_INT("TESTS_LIMIT", &limit, "Most messages", .range = {0, 100},
                 .environment = "TESTS_NEW_LIMIT, TESTS_OLD_LIMIT", .on_write = may_change),
    MPIT_ROW_UNSIGNED("TESTS_WINDOW", &window, "Messages under way", .verbosity = MPIT_TUNER_DETAIL),
    MPIT_ROW_BYTES("TESTS_PIECE", &piece, "Bytes copied at once"),
    MPIT_ROW_DOUBLE("TESTS_FACTOR", &factor, "A part", .real_range = {0, 1}),
    MPIT_ROW_BOOL("TESTS_COPIES", &use_copies, "Whether to copy", .scope = MPIT_READONLY),
    MPIT_ROW_SWITCH("TESTS_EAGER", &is_eager, "Whether to send at once"),
    MPIT_ROW_CHOICE("TESTS_ALGORITHM", &algorithm, &algorithms, "How to reduce"),
    MPIT_ROW_TEXT("TESTS_NETWORK", network, "Which network"),
    MPIT_ROW_NUMBERS(INT, "TESTS_PORTS", &ports.first, 2, "First and last", .range = {1, 65535}),
    MPIT_ROW_NUMBERS(DOUBLE, "TESTS_WEIGHTS", weights, 3, "Of three queues", .real_range = {0, 1},
                     .on_write = may_not_begin_with_1),
    MPIT_ROW_END};

struct component {
    int depth;
    unsigned long calls;
};
static const mpit_control of_component[] = {
    MPIT_ROW_MEMBER(INT, "TESTS_DEPTH", struct component, depth, "Of a queue", .environment = "TESTS_C_*"),
    MPIT_ROW_END};

static mpit_counter sent = MPIT_COUNTER_CELL, bytes = MPIT_COUNTER_CELL;
static mpit_timer waiting = MPIT_TIMER_CELL;
static unsigned queued = 3;
static unsigned long long calls_of(void* data) { return ((const struct component*)data)->calls; }
static double part(void* data) { return data == NULL ? 0.25 : 0.75; }

static unsigned long long of_networks[3];
static unsigned long long of_queue(uint64_t handle, unsigned element, void* object) {
    return handle + 10 * element + (unsigned)((struct component*)object)->calls;
}
/* Two communicators, of three processes and of one. */
static struct communicator {
    unsigned processes;
    unsigned long bytes[3];
} world = {3, {0, 0, 0}}, self = {1, {0, 0, 0}};
static struct communicator* communicator_of(uint64_t handle) {
    return handle == (uint64_t)(uintptr_t)&world ? &world : handle == (uint64_t)(uintptr_t)&self ? &self : NULL;
}
static unsigned peers_of(uint64_t handle, void* object) {
    return object != NULL && communicator_of(handle) != NULL ? communicator_of(handle)->processes : 0;
}
static unsigned long long bytes_of_peer(uint64_t handle, unsigned element, void* object) {
    return object != NULL ? communicator_of(handle)->bytes[element] : 0;
}
static double seconds_of_peer(uint64_t handle, unsigned element, void* object) {
    return object != NULL ? (double)communicator_of(handle)->bytes[element] / 4 : 0;
}
static const mpit_performance measures[] = {
    MPIT_ROW_COUNTER("tests_sent", &sent, "Messages sent"),
    MPIT_ROW_AGGREGATE("tests_bytes", &bytes, "Bytes sent"),
    MPIT_ROW_TIMER("tests_waiting", &waiting, "Seconds", .continuous = true),
    MPIT_ROW_AT(LEVEL, UNSIGNED, "tests_queued", &queued, "Messages", .readonly = true),
    MPIT_ROW_GET(SIZE, UNSIGNED_LONG, "tests_calls", calls_of, "Calls"),
    MPIT_ROW_GET_REAL(PERCENTAGE, "tests_part", part, "A part"),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG_LONG, "tests_of_networks", &of_networks[0], "Messages of each network",
                .count = 3),
    MPIT_ROW_GET_AT(LEVEL, UNSIGNED, "tests_of_queues", of_queue, "Messages in each queue", .count = 2),
    MPIT_ROW_GET_AT(AGGREGATE, UNSIGNED_LONG, "tests_of_peers", bytes_of_peer, "Bytes to each process",
                    .bind = MPIT_BIND_COMM, .handle_size = sizeof(struct communicator*), .elements = peers_of),
    MPIT_ROW_GET_REAL_AT(TIMER, "tests_time_of_peers", seconds_of_peer, "Seconds of each process",
                         .bind = MPIT_BIND_COMM, .handle_size = sizeof(struct communicator*), .elements = peers_of),
    MPIT_ROW_END};

/* Texts that functions have, as in a runtime that keeps them as a list. */
static char routes[32] = "tree";
static int interface_number = 3;
static void read_routes(char* text, size_t size, void* data) { snprintf(text, size, "%s", (const char*)data); }
static mpit_reply set_routes(const void* text, void* data) {
    if (strcmp((const char*)text, "nowhere") == 0) return MPIT_NEVER;
    strcpy((char*)data, (const char*)text);
    return MPIT_ACCEPTED;
}
static void read_interface(char* text, size_t size, void* data) {
    snprintf(text, size, "ib%d", data == NULL ? interface_number : *(const int*)data);
}
static mpit_reply set_interface(const void* text, void* data) {
    int* const number = data == NULL ? &interface_number : (int*)data;
    return sscanf((const char*)text, "ib%d", number) == 1 ? MPIT_ACCEPTED : MPIT_NEVER;
}
static const mpit_control texts[] = {
    MPIT_ROW_TEXT_BY("TESTS_ROUTES", sizeof routes, read_routes, "Of trees", .on_write = set_routes, .data = routes),
    MPIT_ROW_TEXT_BY("TESTS_INTERFACE", 8, read_interface, "Of this machine", .on_write = set_interface,
                     .environment = "TESTS_C_INTERFACE"),
    MPIT_ROW_TEXT_BY("TESTS_ALWAYS", 8, read_interface, "Of this machine", .scope = MPIT_READONLY), MPIT_ROW_END};

/* Numbers that are counted only while a tool reads them. */
static int watched_now;
static unsigned long counted;
static void watch_calls(int change, void* data) {
    if (watched_now == 0 && change > 0) ((struct component*)data)->calls = 0; /* a library may begin anew */
    watched_now += change;
}
static void watch_counted(int change, void* data) {
    if (data == &counted) watched_now += change;
}
static const mpit_performance watched_measures[] = {
    MPIT_ROW_GET(COUNTER, UNSIGNED_LONG, "tests_watched", calls_of, "Calls", .on_watch = watch_calls),
    MPIT_ROW_GET(COUNTER, UNSIGNED_LONG, "tests_always_watched", calls_of, "Calls", .on_watch = watch_calls,
                 .continuous = true),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "tests_watched_number", &counted, "Calls", .on_watch = watch_counted,
                .data = &counted),
    MPIT_ROW_GET_AT(AGGREGATE, UNSIGNED_LONG, "tests_watched_peers", bytes_of_peer, "Bytes", .bind = MPIT_BIND_COMM,
                    .handle_size = sizeof(struct communicator*), .elements = peers_of, .on_watch = watch_calls),
    MPIT_ROW_END};

/* Levels and states, in cells. */
static mpit_level depth = MPIT_LEVEL_CELL(2);
static mpit_state phase = MPIT_STATE_CELL(-1);
static const mpit_item phase_items[] = {{"none", -1, NULL}, {"idle", 0, NULL}, {"busy", 7, NULL}, {NULL, 0, NULL}};
static const mpit_enumeration phases = {"tests_phase", phase_items};
static const mpit_performance in_cells[] = {
    MPIT_ROW_LEVEL("tests_depth", &depth, "Messages in the queue"),
    MPIT_ROW_HIGHEST("tests_deepest", &depth, "Most messages in the queue", .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_LOWEST("tests_lowest", &depth, "Least messages in the queue", .continuous = true),
    MPIT_ROW_STATE("tests_phase", &phase, &phases, "What the library does", .readonly = true), MPIT_ROW_END};

static int int_of(const char* name) {
    int value = -1;
    CHECK(read_of(name, &value) == MPI_SUCCESS);
    return value;
}
static int write_int(const char* name, int value) { return write_of(name, &value); }

static void check_attributes(void) {
    char name[64], item[16];
    int length = sizeof name, verbosity = -1, bind = -1, scope = -1, count = 0, value = -1, item_length = sizeof item;
    MPI_Datatype type = MPI_CHAR;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    round_name = "attributes";
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_WINDOW"), name, &length, &verbosity, &type, &items, NULL, NULL, &bind,
                              &scope) == MPI_SUCCESS);
    CHECK(strcmp(name, "TESTS_WINDOW") == 0 && verbosity == MPI_T_VERBOSITY_TUNER_DETAIL && type == MPI_UNSIGNED);
    CHECK(bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_LOCAL && items == MPI_T_ENUM_NULL);
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_COPIES"), NULL, NULL, NULL, &type, NULL, NULL, NULL, NULL, &scope) ==
          MPI_SUCCESS);
    CHECK(type == MPI_INT && scope == MPI_T_SCOPE_READONLY);
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_ALGORITHM"), NULL, NULL, NULL, &type, &items, NULL, NULL, NULL, NULL) ==
          MPI_SUCCESS);
    CHECK(MPI_T_enum_get_info(items, &count, NULL, NULL) == MPI_SUCCESS && count == 2);
    CHECK(MPI_T_enum_get_item(items, 1, &value, item, &item_length) == MPI_SUCCESS && value == 1 &&
          strcmp(item, "tree") == 0);
    CHECK(MPI_T_cvar_get_info(index_of("TESTS_PIECE"), NULL, NULL, NULL, &type, NULL, NULL, NULL, NULL, NULL) ==
          MPI_SUCCESS);
    CHECK(type == MPI_UNSIGNED_LONG);
    CHECK(MPI_T_category_get_index("tests_inner", &value) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_num_events(value, &count) == MPI_SUCCESS && count == 0);
}

static void check_controls(void) {
    char text[16];
    MPI_T_cvar_handle handle;
    double real = 2;
    round_name = "control variables";
    CHECK(limit == 77 && int_of("TESTS_LIMIT") == 77);
    CHECK(write_int("TESTS_LIMIT", 20) == MPI_SUCCESS && limit == 20 && storage_of_answer == &limit);
    CHECK(write_int("TESTS_LIMIT", 101) == MPI_T_ERR_INVALID && limit == 20);
    CHECK(write_int("TESTS_LIMIT", 13) == MPI_T_ERR_CVAR_SET_NEVER && limit == 20);
    answer = MPIT_NOT_NOW;
    CHECK(write_int("TESTS_LIMIT", 30) == MPI_T_ERR_CVAR_SET_NOT_NOW && limit == 20);
    answer = MPIT_ACCEPTED;
    limit = 21;
    CHECK(int_of("TESTS_LIMIT") == 21);
    CHECK(write_int("TESTS_COPIES", 0) == MPI_T_ERR_CVAR_SET_NEVER && use_copies);
    memset(&use_copies, 0xfe, 1); /* as a struct that was not initialized has it */
    CHECK(int_of("TESTS_COPIES") == 1);
    use_copies = true;
    CHECK(int_of("TESTS_EAGER") == 1 && is_eager == 5);
    CHECK(write_int("TESTS_EAGER", 2) == MPI_T_ERR_INVALID);
    CHECK(write_int("TESTS_EAGER", 0) == MPI_SUCCESS && is_eager == 0);
    CHECK(write_int("TESTS_ALGORITHM", 2) == MPI_T_ERR_INVALID && write_int("TESTS_ALGORITHM", 0) == MPI_SUCCESS &&
          algorithm == 0);
    handle = handle_of("TESTS_FACTOR");
    CHECK(MPI_T_cvar_write(handle, &real) == MPI_T_ERR_INVALID && MPI_T_cvar_read(handle, &real) == MPI_SUCCESS &&
          real == 0.5);
    MPI_T_cvar_handle_free(&handle);
    handle = handle_of("TESTS_NETWORK");
    CHECK(MPI_T_cvar_read(handle, text) == MPI_SUCCESS && strcmp(text, "eth0") == 0);
    memset(text, 0, sizeof text);
    strcpy(text, "ib0");
    CHECK(MPI_T_cvar_write(handle, text) == MPI_SUCCESS && strcmp(network, "ib0") == 0);
    MPI_T_cvar_handle_free(&handle);
}

static void check_numbers(void) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int pair[2] = {0, 0}, count = 0;
    double three[3] = {1, 0, 0};
    round_name = "several numbers";
    CHECK(ports.first == 4000 && ports.last == 4100);
    CHECK(MPI_T_cvar_handle_alloc(index_of("TESTS_PORTS"), NULL, &handle, &count) == MPI_SUCCESS && count == 2);
    CHECK(MPI_T_cvar_read(handle, pair) == MPI_SUCCESS && pair[0] == 4000 && pair[1] == 4100);
    pair[1] = 70000;
    CHECK(MPI_T_cvar_write(handle, pair) == MPI_T_ERR_INVALID && ports.first == 4000 && ports.last == 4100);
    pair[0] = 5;
    pair[1] = 6;
    CHECK(MPI_T_cvar_write(handle, pair) == MPI_SUCCESS && ports.first == 5 && ports.last == 6);
    MPI_T_cvar_handle_free(&handle);
    CHECK(MPI_T_cvar_handle_alloc(index_of("TESTS_WEIGHTS"), NULL, &handle, &count) == MPI_SUCCESS && count == 3);
    CHECK(MPI_T_cvar_write(handle, three) == MPI_T_ERR_CVAR_SET_NEVER && weights[0] == 0.5);
    three[0] = 0.125;
    CHECK(MPI_T_cvar_write(handle, three) == MPI_SUCCESS && weights[0] == 0.125 && weights[2] == 0);
    MPI_T_cvar_handle_free(&handle);
}

static int write_text(const char* name, const char* text, size_t size) {
    char room[64] = "";
    memcpy(room, text, size);
    return write_of(name, room);
}
static void check_texts(mpit_group* group) {
    char text[64];
    int count = 0;
    MPI_T_cvar_handle handle;
    round_name = "texts that functions have";
    CHECK(interface_number == 7); /* from the environment, by the function */
    CHECK(MPI_T_cvar_handle_alloc(index_of("TESTS_ROUTES"), NULL, &handle, &count) == MPI_SUCCESS && count == 32);
    MPI_T_cvar_handle_free(&handle);
    CHECK(read_of("TESTS_ROUTES", text) == MPI_SUCCESS && strcmp(text, "tree") == 0);
    CHECK(write_text("TESTS_ROUTES", "ring", 5) == MPI_SUCCESS && strcmp(routes, "ring") == 0);
    CHECK(write_text("TESTS_ROUTES", "nowhere", 8) == MPI_T_ERR_CVAR_SET_NEVER && strcmp(routes, "ring") == 0);
    CHECK(read_of("TESTS_ROUTES", text) == MPI_SUCCESS && strcmp(text, "ring") == 0);
    CHECK(write_text("TESTS_INTERFACE", "ib4", 4) == MPI_SUCCESS && interface_number == 4);
    CHECK(read_of("TESTS_ALWAYS", text) == MPI_SUCCESS && strcmp(text, "ib4") == 0);
    CHECK(write_text("TESTS_ALWAYS", "ib5", 4) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(mpit_given(group, "TESTS_ROUTES", MPIT_FROM_CONFIGURATION, "routes.conf:3") ==
          -1); /* a tool has written it */
    CHECK(mpit_given(group, "TESTS_NOTHING", MPIT_FROM_CONFIGURATION, NULL) == -1);
    CHECK(mpit_given(group, "TESTS_ALWAYS", (mpit_origin)5, NULL) == -1);
    CHECK(mpit_given(group, "TESTS_ALWAYS", MPIT_FROM_COMMAND_LINE, NULL) == 0);
    strcpy(routes, "tree");
}

static void check_measures(struct component* component) {
    unsigned long long sum = 0;
    unsigned long calls = 0;
    unsigned level = 0;
    double seconds = -1, share = -1;
    round_name = "performance variables";
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle of_sent = measured(session, "tests_sent", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    const MPI_T_pvar_handle of_bytes = measured(session, "tests_bytes", MPI_T_PVAR_CLASS_AGGREGATE, NULL, 1);
    const MPI_T_pvar_handle of_waiting = measured(session, "tests_waiting", MPI_T_PVAR_CLASS_TIMER, NULL, 1);
    const MPI_T_pvar_handle of_calls = measured(session, "tests_calls", MPI_T_PVAR_CLASS_SIZE, NULL, 1);
    const MPI_T_pvar_handle of_queued = measured(session, "tests_queued", MPI_T_PVAR_CLASS_LEVEL, NULL, 1);
    const MPI_T_pvar_handle of_part = measured(session, "tests_part", MPI_T_PVAR_CLASS_PERCENTAGE, NULL, 1);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    const uint64_t before = mpit_total(&sent);
    for (int i = 0; i < 1000; i++) mpit_add(&sent, 1);
    mpit_add(&bytes, 4096);
    const uint64_t waited = mpit_timer_total(&waiting);
    mpit_stop(&waiting, mpit_start() - 250000000);
    CHECK(mpit_total(&sent) == before + 1000);
    CHECK(mpit_timer_total(&waiting) - waited >= 250000000 && mpit_timer_total(&waiting) - waited < 100000000000);
    CHECK(MPI_T_pvar_read(session, of_sent, &sum) == MPI_SUCCESS && sum == 1000);
    CHECK(MPI_T_pvar_read(session, of_bytes, &sum) == MPI_SUCCESS && sum == 4096);
    CHECK(MPI_T_pvar_read(session, of_waiting, &seconds) == MPI_SUCCESS && seconds >= 0.25 && seconds < 100);
    component->calls = 42;
    CHECK(MPI_T_pvar_read(session, of_calls, &calls) == MPI_SUCCESS && calls == 42);
    queued = 9;
    CHECK(MPI_T_pvar_read(session, of_queued, &level) == MPI_SUCCESS && level == 9);
    CHECK(MPI_T_pvar_reset(session, of_queued) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_read(session, of_part, &share) == MPI_SUCCESS && share == 0.75);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

/* Variables of several elements, also of objects that have different numbers of them. */
static void check_elements(struct component* component) {
    MPI_T_pvar_handle refused = MPI_T_PVAR_HANDLE_NULL;
    struct communicator *world_handle = &world, *self_handle = &self;
    struct component* none = component;
    int count = 0, bind = -1, verbosity, of_class, is_readonly, is_continuous, is_atomic;
    MPI_Datatype datatype;
    unsigned long long sums[3] = {9, 9, 9};
    unsigned long bytes_of[4] = {9, 9, 9, 9};
    unsigned levels[2] = {9, 9};
    double seconds[3] = {9, 9, 9};
    round_name = "elements";
    MPI_T_pvar_session session = begin_session();
    const int peers = pvar_index_of("tests_of_peers", MPI_T_PVAR_CLASS_AGGREGATE);
    CHECK(MPI_T_pvar_get_info(peers, NULL, NULL, &verbosity, &of_class, &datatype, NULL, NULL, NULL, &bind,
                              &is_readonly, &is_continuous, &is_atomic) == MPI_SUCCESS &&
          bind == MPI_T_BIND_MPI_COMM);
    CHECK(MPI_T_pvar_handle_alloc(session, peers, &none, &refused, &count) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_alloc(session, peers, NULL, &refused, &count) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_handle networks = measured(session, "tests_of_networks", MPI_T_PVAR_CLASS_COUNTER, NULL, 3),
                      queues = measured(session, "tests_of_queues", MPI_T_PVAR_CLASS_LEVEL, NULL, 2),
                      of_world = measured(session, "tests_of_peers", MPI_T_PVAR_CLASS_AGGREGATE, &world_handle, 3),
                      of_self = measured(session, "tests_of_peers", MPI_T_PVAR_CLASS_AGGREGATE, &self_handle, 1),
                      times = measured(session, "tests_time_of_peers", MPI_T_PVAR_CLASS_TIMER, &world_handle, 3);
    world.bytes[1] = 1000; /* before the start */
    of_networks[2] += 5;
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    world.bytes[0] += 1, world.bytes[1] += 20, world.bytes[2] += 300, self.bytes[0] += 7;
    of_networks[0] += 1, of_networks[2] += 30;
    CHECK(MPI_T_pvar_read(session, networks, sums) == MPI_SUCCESS && sums[0] == 1 && sums[1] == 0 && sums[2] == 30);
    CHECK(MPI_T_pvar_read(session, of_world, bytes_of) == MPI_SUCCESS && bytes_of[0] == 1 && bytes_of[1] == 20 &&
          bytes_of[2] == 300);
    CHECK(bytes_of[3] == 9);
    CHECK(MPI_T_pvar_reset(session, of_world) == MPI_SUCCESS);
    world.bytes[2] += 3;
    CHECK(MPI_T_pvar_read(session, of_world, bytes_of) == MPI_SUCCESS && bytes_of[0] == 0 && bytes_of[1] == 0 &&
          bytes_of[2] == 3);
    CHECK(MPI_T_pvar_read(session, of_self, bytes_of) == MPI_SUCCESS && bytes_of[0] == 7 && bytes_of[1] == 0);
    CHECK(MPI_T_pvar_read(session, times, seconds) == MPI_SUCCESS && seconds[1] == 5 && seconds[2] == 75.75);
    component->calls = 4;
    CHECK(MPI_T_pvar_read(session, queues, levels) == MPI_SUCCESS && levels[0] == 4 && levels[1] == 14);
    const unsigned processes = world.processes;
    world.processes = 0; /* it is freed */
    CHECK(MPI_T_pvar_read(session, of_world, bytes_of) == MPI_T_ERR_INVALID_HANDLE);
    world.processes = processes;
    CHECK(MPI_T_pvar_handle_free(session, &of_self) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    world.bytes[0] = world.bytes[1] = world.bytes[2] = self.bytes[0] = 0;
}

static void check_cells(void) {
    unsigned long long level = 99;
    int state = 99, verbosity, of_class, bind, is_readonly, is_continuous, is_atomic, count = 0;
    MPI_Datatype type;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    round_name = "levels and states in cells";
    mpit_set(&depth, 2);
    mpit_set_state(&phase, 0);
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle of_depth = measured(session, "tests_depth", MPI_T_PVAR_CLASS_LEVEL, NULL, 1);
    const MPI_T_pvar_handle deepest = measured(session, "tests_deepest", MPI_T_PVAR_CLASS_HIGHWATERMARK, NULL, 1);
    const MPI_T_pvar_handle lowest = measured(session, "tests_lowest", MPI_T_PVAR_CLASS_LOWWATERMARK, NULL, 1);
    const MPI_T_pvar_handle of_phase = measured(session, "tests_phase", MPI_T_PVAR_CLASS_STATE, NULL, 1);
    CHECK(MPI_T_pvar_get_info(pvar_index_of("tests_phase", MPI_T_PVAR_CLASS_STATE), NULL, NULL, &verbosity, &of_class,
                              &type, &items, NULL, NULL, &bind, &is_readonly, &is_continuous,
                              &is_atomic) == MPI_SUCCESS &&
          type == MPI_INT && is_readonly == 1);
    CHECK(MPI_T_enum_get_info(items, &count, NULL, NULL) == MPI_SUCCESS && count == 3);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    mpit_change(&depth, 5);
    mpit_change(&depth, -6);
    CHECK(mpit_level_of(&depth) == 1);
    CHECK(MPI_T_pvar_read(session, of_depth, &level) == MPI_SUCCESS && level == 1);
    CHECK(MPI_T_pvar_read(session, deepest, &level) == MPI_SUCCESS && level == 7);
    CHECK(MPI_T_pvar_read(session, lowest, &level) == MPI_SUCCESS && level == 1);
    CHECK(MPI_T_pvar_reset(session, deepest) == MPI_SUCCESS);
    mpit_set(&depth, 4);
    mpit_set(&depth, 0);
    CHECK(MPI_T_pvar_read(session, deepest, &level) == MPI_SUCCESS && level == 4);
    CHECK(MPI_T_pvar_read(session, lowest, &level) == MPI_SUCCESS && level == 0);
    CHECK(MPI_T_pvar_read(session, of_phase, &state) == MPI_SUCCESS && state == 0);
    mpit_set_state(&phase, 7);
    CHECK(MPI_T_pvar_read(session, of_phase, &state) == MPI_SUCCESS && state == 7);
    mpit_set_state(&phase, -1);
    CHECK(MPI_T_pvar_read(session, of_phase, &state) == MPI_SUCCESS && state == -1 && mpit_state_of(&phase) == -1);
    CHECK(MPI_T_pvar_reset(session, of_phase) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

static void check_watching(struct component* component) {
    struct communicator* world_handle = &world;
    unsigned long calls = 9, bytes_of[3];
    round_name = "variables that are watched";
    MPI_T_pvar_session session = begin_session();
    CHECK(watched_now == 0);
    MPI_T_pvar_handle first = measured(session, "tests_watched", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    MPI_T_pvar_handle second = measured(session, "tests_watched", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    CHECK(watched_now == 0);
    component->calls = 42;
    CHECK(MPI_T_pvar_start(session, first) == MPI_SUCCESS && watched_now == 1 && component->calls == 0);
    component->calls = 5;
    CHECK(MPI_T_pvar_read(session, first, &calls) == MPI_SUCCESS && calls == 5);
    CHECK(MPI_T_pvar_start(session, first) == MPI_SUCCESS && watched_now == 1);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS && watched_now == 2);
    CHECK(MPI_T_pvar_stop(session, second) == MPI_SUCCESS && watched_now == 1);
    CHECK(MPI_T_pvar_stop(session, second) == MPI_SUCCESS && watched_now == 1);
    CHECK(MPI_T_pvar_handle_free(session, &second) == MPI_SUCCESS && watched_now == 1);
    CHECK(MPI_T_pvar_reset(session, first) == MPI_SUCCESS && watched_now == 1);
    CHECK(MPI_T_pvar_handle_free(session, &first) == MPI_SUCCESS && watched_now == 0);
    MPI_T_pvar_handle always = measured(session, "tests_always_watched", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    CHECK(watched_now == 1);
    CHECK(MPI_T_pvar_handle_free(session, &always) == MPI_SUCCESS && watched_now == 0);
    MPI_T_pvar_handle number = measured(session, "tests_watched_number", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    counted = 3;
    CHECK(MPI_T_pvar_start(session, number) == MPI_SUCCESS && watched_now == 1);
    counted += 4;
    CHECK(MPI_T_pvar_read(session, number, &calls) == MPI_SUCCESS && calls == 4);
    const MPI_T_pvar_handle of_world =
        measured(session, "tests_watched_peers", MPI_T_PVAR_CLASS_AGGREGATE, &world_handle, 3);
    CHECK(MPI_T_pvar_start(session, of_world) == MPI_SUCCESS && watched_now == 2); /* once, for three elements */
    CHECK(MPI_T_pvar_read(session, of_world, bytes_of) == MPI_SUCCESS);
    const unsigned processes = world.processes;
    world.processes = 0; /* it is freed, and its handle afterwards */
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && watched_now == 0);
    world.processes = processes;
}

static int described;
static mpit_group* late_group;
/* The tables end with this function, and the texts stay. A group inside has the policy of the one around it. */
static void check_texts_that_stay(void) {
    const mpit_policy policy = {.texts_kept = true};
    const mpit_item items[] = {{.name = "ring", .value = 0}, {.name = "tree", .value = 1}, {.name = NULL}};
    const mpit_enumeration ways = {"tests_stay_ways", items}, same_ways = {"tests_stay_same_ways", items};
    static int way = 1, same_way;
    static char words[] = "How again";
    const mpit_control table[] = {MPIT_ROW_CHOICE("TESTS_STAY_WAY", &way, &ways, "How"), MPIT_ROW_END};
    const mpit_control inner_table[] = {MPIT_ROW_CHOICE("TESTS_STAY_SAME_WAY", &same_way, &same_ways, words),
                                        MPIT_ROW_END};
    mpit_group* const outer = mpit_open(NULL, "tests_stay", "Texts that stay", &policy);
    mpit_group* const within = mpit_open(outer, "tests_stay_inner", "As around it", NULL);
    char seen[16], item[16];
    int room = sizeof seen, item_room = sizeof item, count = 0, value = 0;
    MPI_T_enum listed = MPI_T_ENUM_NULL;
    round_name = "texts that stay";
    CHECK(mpit_add_controls(outer, table, NULL) == 0 && mpit_add_controls(within, inner_table, NULL) == 0);
    CHECK(mpit_publish(outer) == 0 && mpit_publish(within) == 0);
    words[0] = 'W'; /* it is no copy; a library must not do this */
    const int number = index_of("TESTS_STAY_SAME_WAY");
    CHECK(MPI_T_cvar_get_info(number, NULL, NULL, NULL, NULL, &listed, seen, &room, NULL, NULL) == MPI_SUCCESS);
    CHECK(strcmp(seen, "Wow again") == 0 && MPI_T_enum_get_info(listed, &count, NULL, NULL) == MPI_SUCCESS &&
          count == 2);
    CHECK(MPI_T_enum_get_item(listed, 1, &value, item, &item_room) == MPI_SUCCESS && value == 1 &&
          strcmp(item, "tree") == 0);
    CHECK(int_of("TESTS_STAY_WAY") == 1);
    mpit_close(within);
    mpit_close(outer);
}

static int describe(void* data) {
    static const mpit_control late[] = {MPIT_ROW_INT("TESTS_LATE", &limit, "Described when a tool came"), MPIT_ROW_END};
    late_group = mpit_open(NULL, "tests_late", "", NULL);
    described++;
    return mpit_add_controls(late_group, late, data) + mpit_publish(late_group);
}

int test_groups(void) {
    struct component component = {4, 7};
    int of_depth = -1;
    const mpit_policy policy = {.environment = "TESTS_C_*", .prefix = "TESTS_"};
    mpit_add(&sent, 5);
    round_name = "the first tool";
    CHECK(mpit_before_tools(describe, NULL) == 0 && described == 0);
    begin_tool();
    CHECK(described == 1 && index_of("TESTS_LATE") >= 0);
    for (int i = 0; i < 2; i++) {
        mpit_group* const outer = mpit_open(NULL, "tests_outer", "A runtime", &policy);
        mpit_group* const inner = mpit_open(outer, "tests_inner", "A component", NULL);
        round_name = "groups";
        CHECK(outer != NULL && inner != NULL);
        CHECK(mpit_add_controls(outer, controls, NULL) == 0);
        CHECK(mpit_add_controls(inner, of_component, &component) == 0);
        CHECK(mpit_add_performance(inner, measures, &component) == 0);
        CHECK(mpit_add_controls(inner, texts, NULL) == 0);
        CHECK(mpit_add_performance(inner, in_cells, NULL) == 0);
        CHECK(mpit_add_performance(inner, watched_measures, &component) == 0);
        CHECK(i == 1 || mpit_given(inner, "TESTS_ROUTES", MPIT_FROM_CONFIGURATION, "routes.conf:3") == 0);
        CHECK(mpit_publish(outer) == 0 && mpit_publish(inner) == 0);
        CHECK(component.depth == 12 && int_of("TESTS_DEPTH") == 12);
        if (of_depth >= 0) CHECK(of_depth == index_of("TESTS_DEPTH"));
        of_depth = index_of("TESTS_DEPTH");
        if (i == 0) check_attributes();
        if (i == 0) check_controls();
        if (i == 0) check_numbers();
        if (i == 0) check_texts(inner);
        check_watching(&component);
        check_cells();
        check_measures(&component);
        check_elements(&component);
        MPI_T_cvar_handle handle = handle_of("TESTS_DEPTH");
        int value = 0;
        mpit_close(outer); /* in any order */
        CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value == 12);
        mpit_close(inner);
        round_name = "closed groups";
        CHECK(MPI_T_cvar_read(handle, &value) == MPI_T_ERR_INVALID_HANDLE);
        MPI_T_cvar_handle_free(&handle);
        component.depth = 4;
        limit = 64;
    }
    mpit_set_state(&phase, -1);
    mpit_close(NULL);
    mpit_close(late_group);
    check_texts_that_stay();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
