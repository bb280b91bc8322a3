/* Makes a call of every function while the tool interface is closed: before the first initialisation, after the last
 * finalization, and in either case before, between and after MPI_Init and MPI_Finalize. */
/* [INIT-01] While the interface is closed every function but init_thread says so and stores nothing. */
/* [INIT-02] The interface opens before MPI_Init, and after MPI_Finalize. */
/* [INIT-06] A finalization without an initialisation is refused. */
#include <mpi.h>

#include "../standard/calls.h"
#include "check.h"

static void expect_closed(const char* when) {
    round_name = when;
    for (int i = 1; i < function_count; i++) {
        set_arguments();
        if (every_call[i].plain() != MPI_T_ERR_NOT_INITIALIZED ||
            every_call[i].profiling() != MPI_T_ERR_NOT_INITIALIZED)
            printf("%s is open\n", every_call[i].name);
        CHECK(every_call[i].plain() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(every_call[i].profiling() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(arguments_are_untouched());
    }
}

/* Opens the interface twice, and closes it as often. */
static void open_and_close(const char* when) {
    int provided = -1, number = -1;
    round_name = when;
    CHECK(MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SERIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SERIALIZED);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS);
    CHECK(number > 0);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_pvar_get_num(&number) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
}

int main(int argc, char** argv) {
    expect_closed("before everything");
    open_and_close("before MPI_Init");
    expect_closed("before MPI_Init, after a finalization");
    MPI_Init(&argc, &argv);
    expect_closed("after MPI_Init");
    open_and_close("after MPI_Init");
    expect_closed("after MPI_Init and a finalization");
    MPI_Finalize();
    expect_closed("after MPI_Finalize");
    open_and_close("after MPI_Finalize");
    expect_closed("after everything");
    return report();
}
