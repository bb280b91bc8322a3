/* Names its regions by MPI_Pcontrol, and calls functions of an MPI in each a number of times that is known.
 *
 *   regions [slow rank]     works longer in the region "solve" in that rank */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Uses the processor for some milliseconds. */
static void work(int milliseconds) {
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec < milliseconds * 1000000L);
}

static void exchange(int times) {
    double given[100] = {0}, taken[100];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < times; i++) {
        MPI_Request request;
        MPI_Isend(given, 100, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(taken, 100, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    const int slow = argc > 1 ? atoi(argv[1]) : -1;
    char name[16];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(1, "all");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        MPI_Pcontrol(1, "solve");
        work(rank == slow ? 60 : 20);
        MPI_Pcontrol(1, "halo");
        exchange(2);
        MPI_Pcontrol(-1, "halo");
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Pcontrol(-1, "solve");
        /* Names on the stack, and numbers. */
        snprintf(name, sizeof name, "output %d", step % 2);
        MPI_Pcontrol(1, name);
        memset(name, 'x', sizeof name - 1);
        exchange(1);
        snprintf(name, sizeof name, "output %d", step % 2);
        MPI_Pcontrol(-1, name);
        MPI_Pcontrol(10 + step);
        MPI_Pcontrol(-10 - step);
    }
    /* What begins no region: the levels of the standard and of mpiP, texts that are none, and ends without a
     * beginning. */
    for (int level = 0; level < 10; level++) MPI_Pcontrol(level, (char*)4096);
    MPI_Pcontrol(1, "\x01\x02");
    MPI_Pcontrol(1, "");
    MPI_Pcontrol(1, NULL);
    MPI_Pcontrol(-1, "nothing");
    MPI_Pcontrol(1, "never left");
    MPI_Pcontrol(1, "inner");
    MPI_Pcontrol(-1, "all");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1, "end");
    MPI_Finalize();
    return 0;
}
