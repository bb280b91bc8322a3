// What a reader that was compiled with the header of the standard's binary interface does not ask of an Open MPI, which
// would end the process.
#include "reader_of_host.hpp"

#include <cstring>
#include <new>
#include <unistd.h>

TEST_CASE("A reader allocates no handle on a variable of Open MPI for Omni-Path on a machine without that network",
          "[over_mpi]") {
    if (access("/dev/hfi1_0", F_OK) == 0) return std::puts("skipped: this machine has Omni-Path"), void();
    mock_host::host& host = mock_host::the_host();
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

TEST_CASE("What stands behind an object decides nothing for a reader of Open MPI", "[over_mpi]") {
    mock_host::host& host = mock_host::the_host();
    host.version = "Open MPI v6.0.0rc2, package: a test";
    host.looks_behind_objects = true;
    const int number = static_cast<int>(host.performances.size());
    host.performances.push_back({.name = "host_bound", .bind = MPI_T_BIND_MPI_COMM});
    alignas(mpit::tool::object) unsigned char room[sizeof(mpit::tool::object) + 256];
    std::memset(room, 0xff, sizeof room);
    const auto* const world = new (room) mpit::tool::object{MPI_COMM_WORLD};
    const mpit::tool::library<mpit::tool::over_mpi> mpi;
    CHECK(mpi.session().performance<mpit::tool::any_value>(number, *world).answer() == mpit::result::success);
}
