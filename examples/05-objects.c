/* Lesson 5: variables that belong to an object.
 *
 * Some variables have one value for each communicator, window or datatype. A handle on such a variable is bound to one
 * object: the tool passes the address of the object's handle. When the object is freed the handle loses it, which the
 * runtime answers with an error code instead of a crash. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void check(int answer, const char* what) {
    if (answer == MPI_SUCCESS) return;
    fprintf(stderr, "%s failed with error %d\n", what, answer);
    exit(1);
}

/* A communicator, and the handles that a tool has bound to it. */
struct watched {
    MPI_Comm comm;
    MPI_T_pvar_handle messages, bytes, collectives;
};

static MPI_T_pvar_handle bind(MPI_T_pvar_session session, const char* name, int var_class, MPI_Comm comm) {
    MPI_T_pvar_handle handle;
    int index, count, kind;
    check(MPI_T_pvar_get_index(name, var_class, &index), name);
    check(MPI_T_pvar_get_info(index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &kind, NULL, NULL, NULL), name);
    if (kind != MPI_T_BIND_MPI_COMM) exit(1); /* it would take the address of something else */
    check(MPI_T_pvar_handle_alloc(session, index, &comm, &handle, &count), "MPI_T_pvar_handle_alloc");
    check(MPI_T_pvar_start(session, handle), "MPI_T_pvar_start");
    return handle;
}

static struct watched watch(MPI_T_pvar_session session, MPI_Comm comm) {
    const struct watched made = {comm, bind(session, "communicator_messages", MPI_T_PVAR_CLASS_COUNTER, comm),
                                 bind(session, "communicator_bytes", MPI_T_PVAR_CLASS_AGGREGATE, comm),
                                 bind(session, "communicator_collectives", MPI_T_PVAR_CLASS_COUNTER, comm)};
    return made;
}

/* What the object is called, the program has said with MPI_Comm_set_name; MPI names MPI_COMM_WORLD. */
static void show(MPI_T_pvar_session session, const struct watched* watched) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    unsigned long messages, bytes, collectives;
    check(MPI_T_pvar_read(session, watched->messages, &messages), "MPI_T_pvar_read");
    check(MPI_T_pvar_read(session, watched->bytes, &bytes), "MPI_T_pvar_read");
    check(MPI_T_pvar_read(session, watched->collectives, &collectives), "MPI_T_pvar_read");
    MPI_Comm_get_name(watched->comm, name, &length);
    printf("  %-14s %9lu %9lu %12lu\n", name, messages, bytes, collectives);
}

static void exchange(int count, int size, MPI_Comm comm) {
    static char sent[4096], received[4096];
    for (int i = 0; i < count; ++i) {
        MPI_Send(sent, size, MPI_CHAR, 0, 0, comm);
        MPI_Recv(received, size, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
    }
}

int main(void) {
    int provided;
    MPI_Comm halo;
    MPI_T_pvar_session session;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo exchange");
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
    check(MPI_T_pvar_session_create(&session), "MPI_T_pvar_session_create");
    const struct watched both[] = {watch(session, MPI_COMM_WORLD), watch(session, halo)};

    exchange(3, 100, MPI_COMM_WORLD);
    exchange(20, 1000, halo);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(halo);

    printf("  %-14s %9s %9s %12s\n", "communicator", "messages", "bytes", "collectives");
    for (int i = 0; i < 2; ++i) show(session, &both[i]);

    unsigned long value;
    MPI_Comm_free(&halo);
    const int refused = MPI_T_pvar_read(session, both[1].messages, &value) == MPI_T_ERR_INVALID_HANDLE;
    printf("\nThe second communicator is freed: reading its counter answers %s.\n",
           refused ? "MPI_T_ERR_INVALID_HANDLE" : "something else");

    /* A new communicator is a new object, even where MPI gives it the handle of the old one. */
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "next exchange");
    const struct watched next = watch(session, halo);
    exchange(1, 10, halo);
    printf("The next one begins at zero:\n\n");
    show(session, &both[0]);
    show(session, &next);

    MPI_Comm_free(&halo);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return MPI_Finalize();
}
