// What a reader does not ask of MPICH, because that leaves it undefined: a reader that was compiled with the header of
// MPICH, and one with that of the standard's binary interface.
#include "reader_of_host.hpp"

extern "C" int MPI_Type_get_name(MPI_Datatype, char*, int*) { return MPI_ERR_TYPE; }

static void have_event() {
    static int left_over = 0;
    mock_host::the_host().version = "MPICH Version:      5.0.2";
    mock_host::the_host().events = {{.name = "left_event",
                                     .elements = {{MPI_INT, 0, sizeof(int)}},
                                     .size = sizeof(int),
                                     .enumeration = reinterpret_cast<MPI_T_enum>(&left_over)}};
}

TEST_CASE("A reader does not look at the enumeration of an event, which MPICH never sets", "[over_mpi]") {
    have_event();
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
    CHECK(mock_host::the_host().crashes == 0);
}

TEST_CASE("A description of this process does not look at the enumeration of an event, which MPICH never sets",
          "[over_mpi]") {
    have_event();
    int provided = 0;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    const std::vector<mpit::fact> facts = mpit::description_of_this_process();
    CHECK(std::count(facts.begin(), facts.end(), mpit::fact{"event left_event", "enumeration", "none"}) == 1);
    CHECK(std::count(facts.begin(), facts.end(), mpit::fact{"event left_event", "elements", "1"}) == 1);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(mock_host::the_host().crashes == 0);
}
