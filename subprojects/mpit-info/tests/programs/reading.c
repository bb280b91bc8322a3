/* A program of an MPI whose rank 0 reads lines from its standard input until that ends, and prints each: `reading`. */
#include <mpi.h>
#include <stdio.h>

int main(int count, char** arguments) {
    char line[100];
    int rank = 0, goes_on = 1;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (goes_on) {
        if (rank == 0) {
            goes_on = fgets(line, sizeof line, stdin) != NULL;
            if (goes_on) printf("rank 0 has read: %s", line);
            fflush(stdout);
        }
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("the input has ended\n");
    MPI_Finalize();
    return 5;
}
