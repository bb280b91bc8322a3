// What a reader that was compiled with the header of the standard's binary interface does not ask of an Open MPI, which would end the
// process.
#include "reader_of_host.hpp"

#include <unistd.h>

TEST_CASE("A reader allocates no handle on a variable of Open MPI for Omni-Path on a machine without that network", "[over_mpi]") {
    if (access("/dev/hfi1_0", F_OK) == 0) return std::puts("skipped: this machine has Omni-Path"), void();
    odd_host::host& host = odd_host::the_host();
    host.version = "Open MPI v6.0.0rc2, package: a test";
    host.performances.push_back({.name = "mtl_psm2_rx_user_bytes"});
    host.performances.push_back({.name = "pml_ob1_unexpected_msgq_length"});
    {
        const mpit::tool::library<mpit::tool::over_mpi> mpi;
        const auto session = mpi.session();
        CHECK(session.performance<mpit::tool::any_value>(0).answer() == mpit::result::not_supported);
        CHECK(session.performance<mpit::tool::any_value>(1).answer() == mpit::result::success);
    }
    CHECK(host.crashes == 0);
    CHECK(host.epochs == 1); // that which is never ended, since Open MPI does not survive another beginning
}
