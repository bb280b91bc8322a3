/* Calls functions of an MPI with the interface of MPI-5.0 in one process, each a number of times that is known. */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Comm ring;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    double data[2][100] = {{0}};
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_set_name(ring, "ring");
    for (int i = 0; i < 10; i++) {
        MPI_Irecv(data[0], 100, MPI_DOUBLE, 0, 0, ring, &requests[0]);
        MPI_Isend(data[1], 100, MPI_DOUBLE, 0, 0, ring, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    }
    /* To nobody, and less than there is room for. */
    MPI_Send(data[1], 100, MPI_DOUBLE, MPI_PROC_NULL, 0, ring);
    MPI_Isend(data[1], 3, MPI_DOUBLE, 0, 2, ring, &requests[0]);
    MPI_Recv(data[0], 100, MPI_DOUBLE, 0, 2, ring, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Bcast(data[0], 5, MPI_INT, 0, MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
