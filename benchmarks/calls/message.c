/* A process that sends itself 8 bytes: `message BLOCKS`. Prints the nanoseconds of processor time that a message
 * takes, as the median over blocks of 10,000 messages. A message is three calls: MPI_Irecv, MPI_Send and MPI_Wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { messages = 10000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare(const void* one, const void* other) {
    const double difference = *(const double*)one - *(const double*)other;
    return (difference > 0) - (difference < 0);
}

int main(int count, char** arguments) {
    const int blocks = count > 1 ? atoi(arguments[1]) : 100;
    double* const taken = malloc(sizeof *taken * (size_t)blocks);
    MPI_Init(&count, &arguments);
    for (int block = 0; block < blocks; block++) {
        const double began = now();
        for (int i = 0; i < messages; i++) {
            long sent = i, received = 0;
            MPI_Request request;
            MPI_Irecv(&received, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, &request);
            MPI_Send(&sent, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        taken[block] = (now() - began) / messages;
    }
    MPI_Finalize();
    qsort(taken, (size_t)blocks, sizeof *taken, compare);
    printf("%.2f\n", taken[blocks / 2]);
    free(taken);
    return 0;
}
