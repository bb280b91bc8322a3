/* Lesson 7: record events, and look at them in a trace viewer.
 *
 * A tool registers a callback on each event that it finds, and is called when the event happens, by the thread that
 * it happens in. The callback may be anywhere, also in a signal handler, so that it copies what it gets into memory
 * that is there already and does nothing else. What it means is looked up before, and written afterwards. All of
 * that is in trace_recorder.h, which knows nothing of this program.
 *
 *   07-trace [file]     then open the file (trace.json) in chrome://tracing or https://ui.perfetto.dev */
#define _GNU_SOURCE
#include "trace_recorder.h"

#include <pthread.h>

enum { longest = 1 << 16, messages = 4 };
static char sent[longest];

static void* send_all(void* argument) {
    const int* const length = argument;
    for (int i = 0; i < messages; ++i) MPI_Send(sent, *length, MPI_CHAR, 0, i, MPI_COMM_WORLD);
    return NULL;
}

static void run_program(void) {
    static char received[messages][longest];
    MPI_Request requests[messages];
    MPI_Comm halo;
    pthread_t sender;
    int length = 100;
    MPI_Comm_set_name(MPI_COMM_WORLD, "all of \"us\"");
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);

    /* Short messages that nobody has asked for, by a thread of their own. */
    pthread_create(&sender, NULL, send_all, &length);
    pthread_join(sender, NULL);
    for (int i = messages; i-- > 0;) MPI_Recv(received[i], longest, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    /* Long ones, for which receives are waiting. */
    length = longest;
    for (int i = 0; i < messages; ++i) MPI_Irecv(received[i], longest, MPI_CHAR, 0, i, MPI_COMM_WORLD, &requests[i]);
    pthread_create(&sender, NULL, send_all, &length);
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    pthread_join(sender, NULL);
    MPI_Comm_free(&halo);
}

int main(int argument_count, char** arguments) {
    const char* const path = argument_count > 1 ? arguments[1] : "trace.json";
    int provided, rank;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), "MPI_T_init_thread");

    start_tracing();
    run_program();
    stop_tracing();

    const size_t written = write_trace(path, rank);
    printf("Registered on %d events, %d of them of MPI_COMM_WORLD.\n", event_count, bound_count);
    printf("Recorded %zu instances, %lld dropped.\n", written, (long long)atomic_load(&dropped));
    MPI_T_finalize();
    return MPI_Finalize();
}
