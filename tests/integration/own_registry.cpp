// A shared object with a registry of its own (MPIT_OWN_REGISTRY) uses its variables, and tools of the program do not
// see them.
#include "plugin.hpp"

TEST_CASE("The variables of a library with a registry of its own are not those of the program") {
    initialized tools;
    const numbers before = present_numbers();
    {
        plugin apart{"apart"};
        CHECK(present_numbers() == before);
        apart.count(10);
        CHECK(apart.calls() == 10);
        CHECK(apart.limit() == 5);
        int found = -1;
        CHECK(MPI_T_pvar_get_index("apart_calls", MPI_T_PVAR_CLASS_COUNTER, &found) == MPI_T_ERR_INVALID_NAME);
    }
    CHECK(present_numbers() == before);
}

TEST_CASE("A library with a registry of its own and one without do not share their names") {
    initialized tools;
    plugin apart{"alpha_apart"}, shared{"alpha"};
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    apart.count(1000);
    shared.count(10);
    unsigned long long value = 0;
    REQUIRE(MPI_T_pvar_read(s.handle, calls.handle, &value) == MPI_SUCCESS);
    CHECK(value == 10);
    CHECK(apart.calls() == 1000);
}
