/* Calls functions of an MPI numbers of times that are known, some of which take a time that is known at least.
 *
 *   durations delays     two ranks or more: on the communicator halo, one of 100 barriers waits half a second for rank 0
 *   durations threads    each of 80 threads calls MPI_Iprobe 500 times, while all of them are there
 *   durations many       MPI_Bcast of 12 sizes on each of 50 communicators
 *   durations twins      MPI_Bcast ten times on each of 40 communicators of one name, of which each ends before the next */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { threads = 80, probes = 500 };

static pthread_barrier_t all_there;

static void use_halo(int rank) {
    MPI_Comm halo;
    char text[64] = "";
    double sum;
    int given[64] = {1}, taken = 0, size;
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    MPI_Comm_size(halo, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++) {
        if (i == 50 && rank == 0) usleep(500000);
        MPI_Barrier(halo);
    }
    for (int i = 0; i < 200; i++) MPI_Allreduce(&(double){1}, &sum, 1, MPI_DOUBLE, MPI_SUM, halo);
    for (int i = 5; i < 8; i++) MPI_Bcast(text, i, MPI_CHAR, 0, halo);
    MPI_Bcast(text, 0, MPI_CHAR, 0, halo);
    if (rank == 0) MPI_Scatter(given, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, halo);
    else MPI_Scatter(NULL, 0, MPI_INT, &taken, 1, MPI_INT, 0, halo);
    MPI_Send(text, 8, MPI_CHAR, MPI_PROC_NULL, 0, halo);
    MPI_Sendrecv(text, 64, MPI_CHAR, (rank + 1) % size, 0, given, 16, MPI_INT, (rank + size - 1) % size, 0, halo,
                 MPI_STATUS_IGNORE);
    MPI_Comm_free(&halo);
}

static void* probe(void* unused) {
    int flag;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < probes; i++) MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&all_there);
    return unused;
}

static void use_threads(void) {
    pthread_t all[threads];
    pthread_barrier_init(&all_there, NULL, threads);
    for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, &probe, NULL);
    for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
}

static void use_many(void) {
    static char data[1 << 12];
    for (int i = 0; i < 50; i++) {
        MPI_Comm each;
        char name[16];
        MPI_Comm_dup(MPI_COMM_WORLD, &each);
        snprintf(name, sizeof name, "number %d", i);
        MPI_Comm_set_name(each, name);
        for (int size = 1; size <= 1 << 11; size *= 2) MPI_Bcast(data, size, MPI_CHAR, 0, each);
        MPI_Comm_free(&each);
    }
}

static void use_twins(void) {
    char text[8] = "";
    for (int i = 0; i < 40; i++) {
        MPI_Comm twin;
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Comm_set_name(twin, "twin");
        for (int call = 0; call < 10; call++) MPI_Bcast(text, 8, MPI_CHAR, 0, twin);
        MPI_Comm_free(&twin);
    }
}

int main(int argc, char** argv) {
    int level, rank;
    const char* const what = argc > 1 ? argv[1] : "";
    MPI_Init_thread(&argc, &argv, strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "delays") == 0) use_halo(rank);
    if (strcmp(what, "threads") == 0 && level == MPI_THREAD_MULTIPLE) use_threads();
    if (strcmp(what, "many") == 0) use_many();
    if (strcmp(what, "twins") == 0) use_twins();
    usleep(300000);
    MPI_Finalize();
    return 0;
}
