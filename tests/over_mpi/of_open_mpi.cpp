// What a library that was compiled with the header of the standard's binary interface does not show of an Open MPI.

#include "stacked.hpp"

#include <unistd.h>

static const bool is_open_mpi = (odd_host::the_host().version = "Open MPI v6.0.0rc2, package: a test", true);

TEST_CASE("The variables of Open MPI for Omni-Path are not listed on a machine without that network", "[over_mpi]") {
    REQUIRE(is_open_mpi);
    if (access("/dev/hfi1_0", F_OK) == 0) return std::puts("skipped: this machine has Omni-Path"), void();
    add_to<odd_host::performance>(odd_host::the_host().performances, {.name = "mtl_psm2_rx_user_bytes"});
    add_to<odd_host::performance>(odd_host::the_host().performances, {.name = "pml_ob1_unexpected_msgq_length"});
    const epoch here;
    CHECK(performance_number("mtl_psm2_rx_user_bytes") < 0);
    CHECK(performance_number("pml_ob1_unexpected_msgq_length") >= 0);
}
