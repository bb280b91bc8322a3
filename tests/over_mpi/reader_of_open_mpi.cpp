// What a reader that was compiled with the header of the standard's binary interface does not ask of an Open MPI, which
// would end the process.
#include "reader_of_host.hpp"

#include <climits>
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
        CHECK(session.performance<mpit::tool::any_value>(0).status() == mpit::result::not_supported);
        CHECK(session.performance<mpit::tool::any_value>(1).status() == mpit::result::success);
    }
    CHECK(host.crashes == 0);
    CHECK(host.epochs == 1); // that which is never ended, since Open MPI assigns other indices after the next beginning
}

TEST_CASE("A reader passes no index out of range to the MPI, which may crash", "[over_mpi]") {
    mock_host::host& host = mock_host::the_host();
    {
        const mpit::tool::library<mpit::tool::over_mpi> mpi;
        const auto check = [&](mpit::tool::kind item_kind, auto info) {
            for (const int wrong : {-1, INT_MIN, mpi.count(item_kind), INT_MAX})
                CHECK(mpi.tell(wrong, info) == mpit::result::invalid_index);
        };
        check(mpit::tool::kind::control, mpit::tool::control_info{});
        check(mpit::tool::kind::performance, mpit::tool::performance_info{});
        check(mpit::tool::kind::event, mpit::tool::event_info{});
        check(mpit::tool::kind::source, mpit::tool::source_info{});
        check(mpit::tool::kind::category, mpit::tool::category_info{});
        CHECK(mpi.control<int>(-1).status() == mpit::result::invalid_index);
        CHECK(mpi.session().performance<unsigned long>(-1).status() == mpit::result::invalid_index);
        CHECK(mpi.on(-1, [](const auto&) {}).status() == mpit::result::invalid_index);
    }
    CHECK(host.crashes == 0);
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
    CHECK(mpi.session().performance<mpit::tool::any_value>(number, *world).status() == mpit::result::success);
}
