// What a library does not ask of MPICH, because that leaves it undefined or ends the process: a library that was
// compiled with the header of MPICH, and one with that of the standard's binary interface, whose MPI says what it is.

#include "stacked.hpp"

static const bool is_mpich = (mock_host::the_host().version = "MPICH Version:      5.0.2", true);

TEST_CASE("The tool interface of MPICH is not first initialized after MPI_Finalize", "[over_mpi]") {
    REQUIRE(is_mpich);
    mock_host::the_host().has_ended = true;
    {
        const epoch here;
        CHECK(mock_host::the_host().epochs == 0);
        CHECK(control_number("LAB_LIMIT") >= 0);
    }
    mock_host::the_host().has_ended = false;
}

TEST_CASE("The enumeration of an event, which MPICH never sets, is not looked at", "[over_mpi]") {
    static int left_over = 0;
    add_to<mock_host::event>(mock_host::the_host().events, {.name = "left_event",
                                                            .elements = {{MPI_INT, 0, sizeof(int)}},
                                                            .size = sizeof(int),
                                                            .enumeration = reinterpret_cast<MPI_T_enum>(&left_over)});
    const epoch here;
    const int number = event_number("left_event");
    REQUIRE(number >= 0);
    MPI_T_enum enumeration{};
    int verbosity = 0, count = 0, bind = -1;
    REQUIRE(MPI_T_event_get_info(number, nullptr, nullptr, &verbosity, nullptr, nullptr, &count, &enumeration, nullptr,
                                 nullptr, nullptr, &bind) == MPI_SUCCESS);
    CHECK(enumeration == MPI_T_ENUM_NULL);
    CHECK(count == 1);
}
