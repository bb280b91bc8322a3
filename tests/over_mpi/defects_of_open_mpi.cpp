// What a library that was compiled with the header of the standard's binary interface does not show of an Open MPI.

#include "stacked.hpp"

#include <unistd.h>

static const bool is_open_mpi = (mock_host::the_host().version = "Open MPI v6.0.0rc2, package: a test", true);

TEST_CASE("The variables of Open MPI for Omni-Path are not listed on a machine without that network", "[over_mpi]") {
    REQUIRE(is_open_mpi);
    if (access("/dev/hfi1_0", F_OK) == 0) return std::puts("skipped: this machine has Omni-Path"), void();
    add_to<mock_host::performance>(mock_host::the_host().performances, {.name = "mtl_psm2_rx_user_bytes"});
    add_to<mock_host::performance>(mock_host::the_host().performances, {.name = "pml_ob1_unexpected_msgq_length"});
    const epoch here;
    CHECK(performance_number("mtl_psm2_rx_user_bytes") < 0);
    CHECK(performance_number("pml_ob1_unexpected_msgq_length") >= 0);
}

TEST_CASE("What stands behind the handle of an object decides nothing on top of Open MPI", "[over_mpi]") {
    REQUIRE(is_open_mpi);
    mock_host::the_host().looks_behind_objects = true;
    add_to<mock_host::performance>(mock_host::the_host().performances,
                                   {.name = "host_bound", .bind = MPI_T_BIND_MPI_COMM});
    const epoch here;
    MPI_Comm communicators[64];
    std::memset(communicators, 0xff, sizeof communicators);
    communicators[0] = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int count = 0;
    REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, performance_number("host_bound"), communicators, &handle, &count) ==
          MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}
