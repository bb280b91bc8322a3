// What a reader does not ask of MPICH, because that leaves it undefined: a reader that was compiled with the header of MPICH, and one with
// that of the standard's binary interface.
#include "reader_of_host.hpp"

TEST_CASE("A reader does not look at the enumeration of an event, which MPICH never sets", "[over_mpi]") {
    static int left_over = 0;
    odd_host::the_host().version = "MPICH Version:      5.0.2";
    odd_host::the_host().events.push_back({.name = "left_event", .elements = {{MPI_INT, 0, sizeof(int)}}, .size = sizeof(int),
                                           .enumeration = reinterpret_cast<MPI_T_enum>(&left_over)});
    {
        const mpit::tool::library<mpit::tool::over_mpi> mpi;
        int seen = 0;
        for (const mpit::tool::event_info& each : mpi.events()) {
            seen++;
            CHECK(each.name == "left_event");
            CHECK(each.elements.size() == 1);
        }
        CHECK(seen == 1);
    }
    CHECK(odd_host::the_host().crashes == 0);
}
