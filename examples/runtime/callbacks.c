/* The runtime under callbacks that use it: several threads exchange messages, and the callbacks of every event send
 * messages of their own, make communicators, bind to them and free them. It ends only if nothing is locked while a
 * callback runs, and checks that each event is told once, and those of the ordered source in their order. */
#include <mpi.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { thread_count = 3, rounds = 300, deepest = 2, one_in = 16, most_events = 16 };

static MPI_T_event_registration registrations[most_events];
static atomic_llong told[most_events], lost[most_events], sent, requested, bound, named_and_freed;
static MPI_Count last_stamp;
static int ordered_source = -1;
static _Thread_local int depth;

static void check(int is_right, const char* what) {
    if (is_right) return;
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

static int index_of(const char* name) {
    int index = -1;
    check(MPI_T_event_get_index(name, &index) == MPI_SUCCESS, name);
    return index;
}

/* A message to oneself that nobody has asked for, and its receive. */
static void exchange(MPI_Comm comm, int tag) {
    char out[8] = "message", in[8] = "";
    MPI_Request request;
    atomic_fetch_add(&sent, 1), atomic_fetch_add(&requested, 1);
    MPI_Isend(out, sizeof out, MPI_CHAR, 0, tag, comm, &request);
    MPI_Recv(in, sizeof in, MPI_CHAR, 0, tag, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void on_event_of_new(MPI_T_event_instance instance, MPI_T_event_registration registration,
                            MPI_T_cb_safety safety, void* comm) {
    (void)safety;
    unsigned long handle = 0;
    check(MPI_T_event_read(instance, 0, &handle) == MPI_SUCCESS && handle == (unsigned long)comm,
          "the handle of a bound event");
    check(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_SUCCESS, "a callback frees its registration");
    atomic_fetch_add(&named_and_freed, 1);
}

static void use_a_communicator(void) {
    static const char* const names[] = {"communicator_named", "communicator_freed"};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    for (int i = 0; i < 2; ++i) {
        MPI_T_event_registration registration;
        check(MPI_T_event_handle_alloc(index_of(names[i]), &comm, MPI_INFO_NULL, &registration) == MPI_SUCCESS,
              names[i]);
        MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, comm, on_event_of_new);
        atomic_fetch_add(&bound, 1);
    }
    MPI_Comm_set_name(comm, "made by a callback");
    exchange(comm, 0);
    MPI_Comm_free(&comm);
}

static void on_event(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void* user_data) {
    (void)registration, (void)safety;
    MPI_Count stamp = -1;
    int source = -1;
    MPI_T_event_get_timestamp(instance, &stamp);
    MPI_T_event_get_source(instance, &source);
    /* Callbacks of an ordered source are called one after another, so that nobody else looks at the stamp. */
    if (source == ordered_source) check(stamp >= last_stamp, "the order of an ordered source"), last_stamp = stamp;
    const long long number = atomic_fetch_add((atomic_llong*)user_data, 1);
    if (depth >= deepest || number % one_in != 0) return;
    ++depth;
    use_a_communicator();
    --depth;
}

static void on_dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety,
                       void* user_data) {
    (void)registration, (void)source, (void)safety;
    atomic_fetch_add(&lost[(atomic_llong*)user_data - told], count);
}

static void* run(void* tag) {
    for (int i = 0; i < rounds; ++i) exchange(MPI_COMM_WORLD, *(int*)tag);
    return NULL;
}

static void expect(const char* name, long long happened) {
    const int index = index_of(name);
    printf("%-20s %6lld happened, %6lld told, %4lld lost\n", name, happened, (long long)told[index],
           (long long)lost[index]);
    check(told[index] + lost[index] == happened, name);
}

int main(void) {
    int provided, count, tags[thread_count];
    pthread_t threads[thread_count];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    MPI_T_source_get_num(&count);
    ordered_source = count - 1; /* the only one that the runtime declares itself */
    const char* const unbound[] = {"message_sent", "message_unexpected", "message_matched", "request_completed",
                                   "communicator_created"};
    for (int i = 0; i < 5; ++i) {
        const int index = index_of(unbound[i]);
        check(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &registrations[index]) == MPI_SUCCESS, unbound[i]);
        MPI_T_event_set_dropped_handler(registrations[index], on_dropped);
        MPI_T_event_register_callback(registrations[index], MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &told[index],
                                      on_event);
    }
    for (int i = 0; i < thread_count; ++i) tags[i] = i, pthread_create(&threads[i], NULL, run, &tags[i]);
    for (int i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
    /* Losses are told before the next event, so one more happens. */
    depth = deepest;
    exchange(MPI_COMM_WORLD, 0);

    expect("message_sent", sent);
    expect("message_unexpected", sent);
    expect("message_matched", sent);
    expect("request_completed", requested);
    expect("communicator_created", bound / 2);
    check(named_and_freed == bound, "each communicator was named and freed");
    for (int i = 0; i < most_events; ++i)
        if (registrations[i] != NULL) MPI_T_event_handle_free(registrations[i], NULL, NULL);
    MPI_T_finalize();
    return MPI_Finalize();
}
