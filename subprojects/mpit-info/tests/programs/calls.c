/* Calls functions of an MPI, each a number of times that is known, and waits so that samples are taken. One process,
 * or several.
 *
 *   calls [slow rank [file of a network counter]...]     each file counts 500 more afterwards */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void start_twice(MPI_Comm ring, int from, int to) {
    double data[2][50];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(data[0], 50, MPI_DOUBLE, from, 3, ring, &requests[0]);
    MPI_Send_init(data[1], 50, MPI_DOUBLE, to, 3, ring, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    for (int i = 0; i < 2; i++) MPI_Start(&requests[i]);
    MPI_Waitall(2, requests, statuses);
    for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
}

static void use_ring(MPI_Comm ring, int slow) {
    int rank, size;
    double data[4][100];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    for (int i = 0; i < 10; i++) {
        MPI_Irecv(data[0], 100, MPI_DOUBLE, (rank + size - 1) % size, 0, ring, &requests[0]);
        MPI_Irecv(data[1], 100, MPI_DOUBLE, (rank + 1) % size, 1, ring, &requests[1]);
        MPI_Isend(data[2], 100, MPI_DOUBLE, (rank + 1) % size, 0, ring, &requests[2]);
        MPI_Isend(data[3], 100, MPI_DOUBLE, (rank + size - 1) % size, 1, ring, &requests[3]);
        if (rank == slow) usleep(20000);
        MPI_Waitall(4, requests, statuses);
    }
    /* To nobody, and less than there is room for. */
    MPI_Send(data[0], 100, MPI_DOUBLE, MPI_PROC_NULL, 0, ring);
    MPI_Isend(data[0], 3, MPI_DOUBLE, (rank + 1) % size, 2, ring, &requests[0]);
    MPI_Recv(data[1], 100, MPI_DOUBLE, (rank + size - 1) % size, 2, ring, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    start_twice(ring, (rank + size - 1) % size, (rank + 1) % size);
}

static void count_in(const char* file) {
    const int open_file = open(file, O_WRONLY);
    if (open_file < 0 || pwrite(open_file, "1500", 4, 0) != 4) abort();
    close(open_file);
}

int main(int argc, char** argv) {
    MPI_Comm ring;
    MPI_Datatype pair;
    int given[64] = {1}, taken[64];
    const int slow = argc > 1 ? atoi(argv[1]) : -1;
    MPI_Init(&argc, &argv);
    for (int i = 2; i < argc; i++) count_in(argv[i]);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_set_name(ring, "ring");
    use_ring(ring, slow);
    MPI_Comm_free(&ring);
    /* A datatype of another size may get the handle of one that was freed. */
    for (int count = 2; count <= 3; count++) {
        MPI_Type_contiguous(count, MPI_INT, &pair);
        MPI_Type_commit(&pair);
        MPI_Bcast(given, 1, pair, 0, MPI_COMM_WORLD);
        MPI_Type_free(&pair);
    }
    MPI_Allreduce(MPI_IN_PLACE, given, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, taken, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
