// MPI-5.0, 15.3.4: the interface of a process in which nobody declared a variable. Nothing else needs the index here,
// so this is the place to see what happens when there is no memory for it: neither at load, nor at the first call.
#include "../catch.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/clock.hpp>
#include <mpit/mpi_t.h>

// Runs before the library looks for the index.
[[gnu::constructor(101)]] static void load_without_memory() { mpit::core::allocations_left.store(0); }

TEST_CASE("Without memory the interface cannot be opened, and a later call can open it", "[INIT-08]") {
    int provided = -7, number = -7;
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_T_ERR_CANNOT_INIT);
    CHECK(provided == -7);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(number == -7);

    mpit::core::allocations_left.store(-1);
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
}

TEST_CASE("A library without variables has an interface with empty sets, but for the library's own clocks",
          "[INIT-02][EVT-01][SRC-01]") {
    int provided = 0;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    int (*const numbers[])(int*) = {MPI_T_cvar_get_num, MPI_T_pvar_get_num, MPI_T_event_get_num,
                                    MPI_T_category_get_num};
    int number = -7;
    for (auto get_number : numbers) {
        number = -7;
        CHECK(get_number(&number) == MPI_SUCCESS);
        CHECK(number == 0);
    }
    const int own_clocks = mpit::core::has_cycle_counter() ? 2 : 1;
    CHECK(MPI_T_source_get_num(&number) == MPI_SUCCESS);
    CHECK(number == own_clocks);
    for (int i = 0; i < own_clocks; i++) {
        MPI_Count ticks = -7;
        CHECK(MPI_T_source_get_timestamp(i, &ticks) == MPI_SUCCESS);
        CHECK(ticks > 0);
    }
    int found = -7;
    CHECK(MPI_T_cvar_get_index("C_INT", &found) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_event_get_index("e_plain", &found) == MPI_T_ERR_INVALID_NAME);
    CHECK(found == -7);
    MPI_T_event_registration registration{};
    CHECK(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}
