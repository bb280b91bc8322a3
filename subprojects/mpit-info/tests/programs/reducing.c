/* Calls collective operations until it is ended, or so many times: `reducing FILE VARIABLE COUNT NANOSECONDS [DELAY [OPERATIONS]]`.
 *
 * Ranks with an odd number sleep so many nanoseconds for each element that they reduce in MPI_Allreduce. How many elements each rank reduces
 * shows the algorithm. When this number or the control variable has changed, a rank writes to FILE.RANK: the number of the MPI_Allreduce, the
 * value and the number of elements. With DELAY ranks sleep up to so many microseconds between operations; with COUNT 0 there are none. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 1 << 17 };
static long reduced, nanoseconds;
static int message[MESSAGE];

static void sum(void* from, void* to, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; i++) ((int*)to)[i] += ((int*)from)[i];
    reduced += *count;
    const long pause_of_all = *count * nanoseconds;
    const struct timespec pause = {pause_of_all / 1000000000, pause_of_all % 1000000000};
    if (pause_of_all != 0) nanosleep(&pause, NULL);
}

static int value_of(MPI_T_cvar_handle variable) {
    int value = 0;
    MPI_T_cvar_read(variable, &value);
    return value;
}

int main(int argc, char** argv) {
    int rank, size, level, index, elements, value = -1;
    if (argc < 5) return 1;
    MPI_Init(&argc, &argv);
    alarm(600);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_T_cvar_handle variable;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    if (MPI_T_cvar_get_index(argv[2], &index) != MPI_SUCCESS) return 2;
    MPI_T_cvar_handle_alloc(index, NULL, &variable, &elements);
    const int count = atoi(argv[3]);
    nanoseconds = rank % 2 != 0 ? atol(argv[4]) : 0;
    while (count == 0) pause();
    const unsigned delay = argc > 5 ? (unsigned)atoi(argv[5]) : 0;
    char path[1024];
    snprintf(path, sizeof path, "%s.%d", argv[1], rank);
    FILE* const file = fopen(path, "w");
    int *const own = calloc((size_t)count, sizeof(int)), *const all = calloc((size_t)count, sizeof(int));
    if (file == NULL || own == NULL || all == NULL) return 3;
    for (int i = 0; i < count; i++) own[i] = rank + i;
    MPI_Op op;
    MPI_Op_create(sum, 1, &op);
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &pair);
    long before = -1;
    unsigned random = (unsigned)rank + 1;
    const unsigned long last = argc > 6 ? strtoul(argv[6], NULL, 10) : 0;
    for (unsigned long number = 1; last == 0 || number <= last; number++) {
        reduced = 0;
        MPI_Allreduce(own, all, count, MPI_INT, op, MPI_COMM_WORLD);
        if (all[count - 1] != size * (size - 1) / 2 + size * (count - 1)) MPI_Abort(MPI_COMM_WORLD, 4);
        const int now = value_of(variable);
        if (now != value || reduced != before)
            fprintf(file, "%lu %d %ld\n", number, value = now, before = reduced), fflush(file);
        if (delay == 0) continue;
        /* Ranks run ahead of others, which wait for them, and the other way round. A rank with an even number may wait before an operation
         * while another one needs its message to come there. */
        int word = rank;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status ended[2];
        if (rank % 2 == 0 && rank + 1 < size)
            MPI_Isend(message, MESSAGE, MPI_INT, rank + 1, 7, MPI_COMM_WORLD, &requests[0]);
        if (rank % 2 != 0) MPI_Recv(message, MESSAGE, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, &ended[0]);
        for (int i = 0; i < 3; i++) {
            random = random * 1103515245u + 12345u;
            usleep((random >> 16) % delay);
            MPI_Bcast(&word, 1, MPI_INT, (int)(number % (unsigned long)size), MPI_COMM_WORLD);
        }
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
        MPI_Bcast(&word, 1, MPI_INT, 0, pair);
        MPI_Waitall(2, requests, ended);
    }
    return MPI_Finalize();
}
