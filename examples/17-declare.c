/* Lesson 17: declaring variables in C.
 *
 * A library in C has tables beside the globals that it has already. 17-declare.cpp is its one file in C++, and
 * contains nothing but includes. The tool in main() is any tool. */
#define _POSIX_C_SOURCE 200809L
#include <mpit/declare.h>
#include <mpit/mpi_t.h>

#include <stdio.h>
#include <stdlib.h>

/* The library. */
struct arrival {
    int source;
    unsigned long bytes;
};
static int transport = 1;
static size_t eager_limit = 65536;
static char networks[64] = "any";
static mpit_counter received = MPIT_COUNTER_CELL;
static mpit_level queued = MPIT_LEVEL_CELL(0);
static mpit_event arrived;

static const mpit_item transport_items[] = {{"tcp", 0, "sockets"}, {"shm", 1, NULL}, {NULL, 0, NULL}};
static const mpit_enumeration transports = {"post_transport", transport_items};
static const mpit_control controls[] = {
    MPIT_ROW_CHOICE("POST_TRANSPORT", &transport, &transports, "How messages travel"),
    MPIT_ROW_BYTES("POST_EAGER_LIMIT", &eager_limit, "Largest message sent at once, in bytes", .range = {0, 1 << 20}),
    MPIT_ROW_TEXT("POST_NETWORKS", networks, "Networks to use", .verbosity = MPIT_TUNER_BASIC), MPIT_ROW_END};
static const mpit_performance measures[] = {
    MPIT_ROW_COUNTER("post_received", &received, "Messages received"),
    MPIT_ROW_LEVEL("post_queued", &queued, "Messages in the queue", .readonly = true),
    MPIT_ROW_HIGHEST("post_longest_queue", &queued, "Most messages in the queue"), MPIT_ROW_END};
static const mpit_element arrival_elements[] = {MPIT_ROW_ELEMENT(struct arrival, source),
                                                MPIT_ROW_ELEMENT(struct arrival, bytes), MPIT_ROW_END};
static const mpit_event_type events[] = {
    MPIT_ROW_EVENT("post_arrived", &arrived, struct arrival, arrival_elements, "A message has come"), MPIT_ROW_END};

static mpit_group* group;

/* When it returns, the globals have the values that a user gives. */
static int post_open(void) {
    const mpit_policy policy = {.environment = "POST_*", .prefix = "POST_"};
    group = mpit_open(NULL, "post", "A library in C", &policy);
    if (group == NULL) return -1;
    const int refused = mpit_add_controls(group, controls, NULL) + mpit_add_performance(group, measures, NULL) +
                        mpit_add_events(group, events);
    return mpit_publish(group) + refused;
}
static void post_close(void) { mpit_close(group); }

static void receive(int source, unsigned long bytes) {
    mpit_add(&received, 1);
    mpit_change(&queued, 1);
    mpit_raise(&arrived, &(struct arrival){source, bytes});
}

/* The tool. */
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != MPI_SUCCESS) {                                                                                   \
            printf("%s failed\n", #call);                                                                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static void print_arrival(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                          void* data) {
    struct arrival now;
    (void)registration;
    (void)safety;
    (void)data;
    MUST(MPI_T_event_read(instance, 0, &now.source));
    MUST(MPI_T_event_read(instance, 1, &now.bytes));
    printf("  %lu bytes from %d\n", now.bytes, now.source);
}
static MPI_T_pvar_handle started(MPI_T_pvar_session session, const char* name, int variable_class) {
    MPI_T_pvar_handle handle;
    int index, count;
    MUST(MPI_T_pvar_get_index(name, variable_class, &index));
    MUST(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count));
    MUST(MPI_T_pvar_start(session, handle));
    return handle;
}

int main(void) {
    int provided, index, count;
    unsigned long bytes = 0;
    unsigned long long messages = 0;
    unsigned long long waiting = 0, longest = 0;
    MPI_T_cvar_handle limit;
    MPI_T_pvar_session session;
    MPI_T_event_registration listening;

    setenv("POST_TRANSPORT", "sockets", 1);
    setenv("POST_NETWORKS", "eth0,ib0", 1);
    if (post_open() != 0) return 1;
    printf("The library uses %s over %s.\n", transport == 0 ? "tcp" : "shm", networks);

    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    MUST(MPI_T_cvar_get_index("POST_EAGER_LIMIT", &index));
    MUST(MPI_T_cvar_handle_alloc(index, NULL, &limit, &count));
    MUST(MPI_T_cvar_read(limit, &bytes));
    printf("POST_EAGER_LIMIT is %lu.\n", bytes);
    bytes = 1024;
    MUST(MPI_T_cvar_write(limit, &bytes));
    bytes = 1ul << 21;
    const char* const answer = MPI_T_cvar_write(limit, &bytes) == MPI_T_ERR_INVALID ? "refused" : "taken";
    printf("A tool writes %lu, and the library has it; %lu is %s.\n", (unsigned long)eager_limit, bytes, answer);

    MUST(MPI_T_pvar_session_create(&session));
    const MPI_T_pvar_handle of_messages = started(session, "post_received", MPI_T_PVAR_CLASS_COUNTER);
    const MPI_T_pvar_handle of_queued = started(session, "post_queued", MPI_T_PVAR_CLASS_LEVEL);
    const MPI_T_pvar_handle of_longest = started(session, "post_longest_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    MUST(MPI_T_event_get_index("post_arrived", &index));
    MUST(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &listening));
    MUST(MPI_T_event_register_callback(listening, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, print_arrival));
    printf("Three messages:\n");
    receive(1, 100);
    receive(2, 200);
    receive(3, 300);
    mpit_change(&queued, -1);
    MUST(MPI_T_pvar_read(session, of_messages, &messages));
    MUST(MPI_T_pvar_read(session, of_queued, &waiting));
    MUST(MPI_T_pvar_read(session, of_longest, &longest));
    printf("%llu received, %llu in the queue, at most %llu.\n", messages, waiting, longest);

    post_close();
    printf("The library is closed: a read %s.\n",
           MPI_T_cvar_read(limit, &bytes) == MPI_SUCCESS ? "succeeds" : "answers an error");
    MUST(MPI_T_finalize());
    return 0;
}
