/* Names regions by mpit-info/regions.h in a program with an MPI: also before its MPI is started. Prints a line, with
 * the tool and without. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <mpit-info/regions.h>

#include <stdio.h>

int main(int argc, char** argv) {
    mpit_region_begin("whole");
    mpit_region_begin("start");
    MPI_Init(&argc, &argv);
    mpit_region_end("start");
    for (int i = 0; i < 5; i++) {
        mpit_region_begin("solve");
        MPI_Pcontrol(1, "inner");
        MPI_Barrier(MPI_COMM_WORLD);
        mpit_region_end("inner");
        mpit_region_end("solve");
    }
    MPI_Finalize();
    mpit_region_end("whole");
    puts("done");
    return 0;
}
