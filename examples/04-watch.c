/* Lesson 4: sessions. Two tools in one process never disturb each other.
 *
 * Every session has handles of its own, and every handle its own value: it counts while it is started, keeps what it
 * has while it is stopped, and begins again when it is reset. A watermark remembers the extreme of a level since its
 * handle was started or reset, so two of them may show different extremes of one level. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void check(int answer, const char* what) {
    if (answer == MPI_SUCCESS) return;
    fprintf(stderr, "%s failed with error %d\n", what, answer);
    exit(1);
}

/* What a tool looks at: how many messages were sent, how many wait now, and how many waited at most. */
struct tool {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle sent, waiting, most;
};

static MPI_T_pvar_handle handle_on(MPI_T_pvar_session session, const char* name, int var_class) {
    MPI_T_pvar_handle handle;
    int index, count;
    check(MPI_T_pvar_get_index(name, var_class, &index), name);
    check(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count), "MPI_T_pvar_handle_alloc");
    return handle;
}

static struct tool new_tool(void) {
    struct tool tool;
    check(MPI_T_pvar_session_create(&tool.session), "MPI_T_pvar_session_create");
    tool.sent = handle_on(tool.session, "messages_sent", MPI_T_PVAR_CLASS_COUNTER);
    tool.waiting = handle_on(tool.session, "unexpected_queue_length", MPI_T_PVAR_CLASS_LEVEL);
    tool.most = handle_on(tool.session, "unexpected_queue_length", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    return tool;
}

static unsigned long long value_of(const struct tool* tool, MPI_T_pvar_handle handle) {
    unsigned long long value = 0;
    check(MPI_T_pvar_read(tool->session, handle, &value), "MPI_T_pvar_read");
    return value;
}

static void show(const char* what, const struct tool* first, const struct tool* second) {
    printf("  %-36s %4llu %7llu %4llu   %4llu %7llu %4llu\n", what, value_of(first, first->sent),
           value_of(first, first->waiting), value_of(first, first->most), value_of(second, second->sent),
           value_of(second, second->waiting), value_of(second, second->most));
}

/* Messages that nobody has asked for yet wait in the queue of the runtime. */
static void send(int count) {
    for (int i = 0; i < count; ++i) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
static void receive(int count) {
    for (int i = 0, got; i < count; ++i) MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(void) {
    int provided;
    MPI_Init(NULL, NULL);
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
    struct tool first = new_tool(), second = new_tool();

    printf("  %-36s %-17s   %-17s\n", "", "first tool", "second tool");
    printf("  %-36s %4s %7s %4s   %4s %7s %4s\n", "", "sent", "waiting", "most", "sent", "waiting", "most");
    send(2);
    show("two messages, nobody has started", &first, &second);

    check(MPI_T_pvar_start(first.session, MPI_T_PVAR_ALL_HANDLES), "MPI_T_pvar_start");
    send(5);
    show("the first starts; five more", &first, &second);

    receive(6);
    check(MPI_T_pvar_start(second.session, MPI_T_PVAR_ALL_HANDLES), "MPI_T_pvar_start");
    show("six received; the second starts", &first, &second);

    send(3);
    show("three more", &first, &second);

    check(MPI_T_pvar_reset(first.session, first.most), "MPI_T_pvar_reset");
    receive(2);
    show("the first resets its mark; two less", &first, &second);

    check(MPI_T_pvar_stop(first.session, first.sent), "MPI_T_pvar_stop");
    send(1);
    show("the first stops counting; one more", &first, &second);

    unsigned long long taken = 0;
    check(MPI_T_pvar_readreset(second.session, second.sent, &taken), "MPI_T_pvar_readreset");
    check(MPI_T_pvar_start(first.session, first.sent), "MPI_T_pvar_start");
    send(1);
    printf("The second tool takes its %llu messages and begins again; the first goes on counting.\n", taken);
    show("one more", &first, &second);

    /* The level itself belongs to the runtime: it is the same for everybody, and no tool starts or stops it. */
    const int refused = MPI_T_pvar_stop(first.session, first.waiting) == MPI_T_ERR_PVAR_NO_STARTSTOP;
    printf("Stopping the level answers %s.\n", refused ? "MPI_T_ERR_PVAR_NO_STARTSTOP" : "something else");

    receive(4);
    MPI_T_pvar_session_free(&first.session);
    MPI_T_pvar_session_free(&second.session);
    MPI_T_finalize();
    return MPI_Finalize();
}
