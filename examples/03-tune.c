/* Lesson 3: change how MPI works, and see that it does.
 *
 * MINI_EAGER_LIMIT is the largest message that the miniature runtime sends at once; a longer one waits for its
 * receiver. Two counters tell how messages travelled. The program sends messages of a few sizes, reads the counters,
 * moves the limit while MPI is running, and sends the same messages again. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void check(int answer, const char* what) {
    if (answer == MPI_SUCCESS) return;
    fprintf(stderr, "%s failed with error %d\n", what, answer);
    exit(1);
}

/* A control variable by its name. */
static MPI_T_cvar_handle control_named(const char* name) {
    MPI_T_cvar_handle handle;
    int index, count;
    check(MPI_T_cvar_get_index(name, &index), name);
    check(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count), "MPI_T_cvar_handle_alloc");
    return handle;
}

/* A counter by its name; it counts from now on. */
static MPI_T_pvar_handle counter_named(MPI_T_pvar_session session, const char* name) {
    MPI_T_pvar_handle handle;
    int index, count;
    check(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index), name);
    check(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count), "MPI_T_pvar_handle_alloc");
    check(MPI_T_pvar_start(session, handle), "MPI_T_pvar_start");
    return handle;
}

/* Reads a counter and begins again at zero, in one step. */
static unsigned long long take(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    unsigned long long value = 0;
    check(MPI_T_pvar_readreset(session, handle, &value), "MPI_T_pvar_readreset");
    return value;
}

/* Ten messages to ourselves. */
static void exchange(int size) {
    char* const buffer = calloc(2, (size_t)size);
    for (int i = 0; i < 10; ++i) {
        MPI_Request request;
        MPI_Isend(buffer, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(buffer + size, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(buffer);
}

static void measure(MPI_T_pvar_session session, MPI_T_pvar_handle eager, MPI_T_pvar_handle rendezvous) {
    static const int sizes[] = {64, 1024, 4096, 16384, 65536};
    printf("  %8s %8s %12s\n", "bytes", "eager", "rendezvous");
    for (int i = 0; i < 5; ++i) {
        exchange(sizes[i]);
        printf("  %8d %8llu %12llu\n", sizes[i], take(session, eager), take(session, rendezvous));
    }
}

int main(void) {
    int provided, limit = 0;
    MPI_Init(NULL, NULL);
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");

    MPI_T_pvar_session session;
    check(MPI_T_pvar_session_create(&session), "MPI_T_pvar_session_create");
    const MPI_T_pvar_handle eager = counter_named(session, "eager_messages");
    const MPI_T_pvar_handle rendezvous = counter_named(session, "rendezvous_messages");
    MPI_T_cvar_handle eager_limit = control_named("MINI_EAGER_LIMIT");

    check(MPI_T_cvar_read(eager_limit, &limit), "MPI_T_cvar_read");
    printf("The eager limit is %d bytes:\n", limit);
    measure(session, eager, rendezvous);

    limit = 16384;
    check(MPI_T_cvar_write(eager_limit, &limit), "MPI_T_cvar_write");
    printf("\nNow it is %d bytes, and messages of that size travel otherwise:\n", limit);
    measure(session, eager, rendezvous);

    limit = -1;
    printf("\nA limit of %d bytes is %s.\n", limit,
           MPI_T_cvar_write(eager_limit, &limit) == MPI_T_ERR_INVALID ? "refused" : "accepted");

    MPI_T_cvar_handle_free(&eager_limit);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return MPI_Finalize();
}
