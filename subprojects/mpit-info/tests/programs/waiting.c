/* A program of an MPI that lasts while a file exists: `waiting FILE [fork]`. With "fork" rank 0 has a child
 * meanwhile, without an agent. Its regions are "round", and "pause" in it. Each rank prints its process, and "ended"
 * at its end. Its exit status is 3 if MPI_Query_thread returns another level than MPI_Init has given. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** arguments) {
    int rank = 0, is_over = 0, level = -1, began[2];
    char byte = 0;
    pid_t child = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (pipe(began) != 0) return 1;
    if (count > 2 && rank == 0 && (child = fork()) == 0) {
        while (write(began[1], &byte, 1) == 1) pause();
    }
    if (child > 0 && read(began[0], &byte, 1) != 1) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d %d %d\n", rank, (int)getpid(), (int)child);
    fflush(stdout);
    while (!is_over) {
        MPI_Pcontrol(1, "round");
        is_over = rank == 0 && access(arguments[1], F_OK) != 0;
        MPI_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Pcontrol(1, "pause");
        usleep(2000);
        MPI_Pcontrol(-1, "pause");
        MPI_Pcontrol(-1, "round");
    }
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    MPI_Query_thread(&level);
    MPI_Finalize();
    printf("ended\n");
    return level == MPI_THREAD_SINGLE ? 0 : 3;
}
