// Libraries that are loaded and unloaded while the tool interface is in use. Each test case uses names that the others
// have perhaps loaded already: only the first one looks at how the numbers grow from nothing.
#include "plugin.hpp"

#include <thread>

TEST_CASE("A library that is loaded adds to every kind, and what was there before stays as it was", "[GROW-01]") {
    initialized tools;
    const numbers before = present_numbers();
    const catalogue old = present_catalogue();
    int update_before = -1, update_after = -1;
    REQUIRE(MPI_T_category_changed(&update_before) == MPI_SUCCESS);

    plugin alpha{"alpha"};
    const numbers after = present_numbers();
    CHECK(after == numbers{before.cvars + 2, before.pvars + 3, before.events, before.sources, before.categories + 2});
    CHECK(is_beginning(old, present_catalogue()));
    CHECK(cvar_index("alpha_limit") == before.cvars);
    CHECK(cvar_line(cvar_index("alpha_mode")).find(" alpha_mode calm=0 busy=1") != std::string::npos);
    CHECK(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == before.pvars);
    REQUIRE(MPI_T_category_changed(&update_after) == MPI_SUCCESS);
    CHECK(update_after == update_before + 2 + 2 + 3 + 1);
}

TEST_CASE("The variables of a loaded library are read and written like any others", "[GROW-01]") {
    initialized tools;
    for (const int binding : {RTLD_LOCAL, RTLD_GLOBAL})
        for (const char* name : {"alpha", "beta", "gamma"}) {
            const std::string prefix = name;
            plugin loaded{name, binding};
            cvar limit{(prefix + "_limit").c_str()};
            CHECK(limit.write(17) == MPI_SUCCESS);
            CHECK(loaded.limit() == 17);
            CHECK(limit.write(5) == MPI_SUCCESS);
            session s;
            pvar calls{s, (prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER};
            pvar time{s, (prefix + "_time").c_str(), MPI_T_PVAR_CLASS_AGGREGATE};
            pvar level{s, (prefix + "_level").c_str(), MPI_T_PVAR_CLASS_LEVEL};
            REQUIRE(calls.start() == MPI_SUCCESS);
            REQUIRE(time.start() == MPI_SUCCESS);
            REQUIRE(level.start() == MPI_SUCCESS);
            loaded.count(100);
            std::thread{[&] { loaded.count(11); }}.join();
            CHECK(calls.read() == 111);
            CHECK(time.read<double>() == 55.5);
            CHECK(level.read<unsigned long>() == 11);
        }
}

TEST_CASE("The variables of an unloaded library keep their numbers and their texts", "[GROW-02]") {
    initialized tools;
    plugin alpha{"alpha"};
    const catalogue loaded = present_catalogue();
    const int limit = cvar_index("alpha_limit");
    alpha.close();
    REQUIRE_FALSE(alpha.is_loaded());
    CHECK(present_catalogue() == loaded);
    CHECK(cvar_index("alpha_limit") == limit);
    CHECK(limit >= 0);
}

TEST_CASE(
    "A handle on a variable of an unloaded library answers MPI_T_ERR_INVALID_HANDLE, and a new one is refused with "
    "MPI_T_ERR_INVALID_INDEX",
    "[GROW-02]") {
    initialized tools;
    for (const char* name : {"alpha", "beta"}) {
        const std::string prefix = name;
        plugin loaded{name};
        session s;
        cvar limit{(prefix + "_limit").c_str()};
        pvar calls{s, (prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER};
        REQUIRE(calls.start() == MPI_SUCCESS);
        loaded.close();
        REQUIRE_FALSE(loaded.is_loaded());

        int number = -7;
        unsigned long long total = 7;
        CHECK(MPI_T_cvar_read(limit.handle, &number) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_write(limit.handle, &number) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_read(s.handle, calls.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_write(s.handle, calls.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(calls.stop() == MPI_T_ERR_INVALID_HANDLE);
        CHECK(calls.reset() == MPI_T_ERR_INVALID_HANDLE);
        CHECK(number == -7);
        CHECK(total == 7);

        MPI_T_cvar_handle no_cvar = MPI_T_CVAR_HANDLE_NULL;
        MPI_T_pvar_handle no_pvar = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        CHECK(MPI_T_cvar_handle_alloc(cvar_index((prefix + "_limit").c_str()), nullptr, &no_cvar, &count) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_pvar_handle_alloc(s.handle, pvar_index((prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER),
                                      nullptr, &no_pvar, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_pvar_handle_free(s.handle, &calls.handle) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_handle_free(&limit.handle) == MPI_SUCCESS);
    }
}

TEST_CASE("Operations on all handles of a session pass over those of an unloaded library", "[GROW-02]") {
    initialized tools;
    session s;
    pvar mine{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    plugin alpha{"alpha"};
    pvar theirs{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    alpha.close();
    REQUIRE_FALSE(alpha.is_loaded());
    MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES);
    ++all.performances.counter;
    MPI_T_pvar_stop(s.handle, MPI_T_PVAR_ALL_HANDLES);
    CHECK(mine.read() == 1);
    MPI_T_pvar_reset(s.handle, MPI_T_PVAR_ALL_HANDLES);
    CHECK(mine.read() == 0);
}

TEST_CASE("A library that dlclose leaves in the process keeps its variables active", "[GROW-02]") {
    initialized tools;
    plugin gamma{"gamma"};
    cvar limit{"gamma_limit"};
    gamma.close();
    int value = 0;
    CHECK(MPI_T_cvar_read(limit.handle, &value) == (gamma.is_loaded() ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE));
}

TEST_CASE("A library that is loaded again has its old numbers, and only new handles reach it", "[GROW-03]") {
    initialized tools;
    session s;
    plugin before{"alpha"};
    const numbers loaded = present_numbers();
    const int number = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER);
    pvar old{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    cvar old_limit{"alpha_limit"};
    before.count(3);
    for (int round = 0; round < 20; round++) {
        before.close();
        REQUIRE_FALSE(before.is_loaded());
        plugin again{"alpha"};
        REQUIRE(present_numbers() == loaded);
        REQUIRE(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == number);
        pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
        cvar limit{"alpha_limit"};
        REQUIRE(calls.start() == MPI_SUCCESS);
        again.count(10 + round);
        REQUIRE(calls.read() == static_cast<unsigned long long>(10 + round));
        REQUIRE(limit.read() == 5);
        unsigned long long total = 0;
        int value = 0;
        REQUIRE(MPI_T_pvar_read(s.handle, old.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        REQUIRE(MPI_T_cvar_read(old_limit.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    }
}

TEST_CASE("Handles and sessions from before a library came or went keep working", "[GROW-04]") {
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    pvar level{s, "p_queue", MPI_T_PVAR_CLASS_LEVEL};
    cvar number{"C_INT"};
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(level.start() == MPI_SUCCESS);
    unsigned long long expected = 0;
    const auto check = [&] {
        ++all.performances.counter;
        all.performances.level = static_cast<unsigned long>(++expected);
        CHECK(counter.read() == expected);
        CHECK(level.read<unsigned long>() == expected);
        CHECK(number.write(static_cast<int>(expected)) == MPI_SUCCESS);
        CHECK(all.controls.plain == static_cast<int>(expected));
    };
    check();
    for (const char* name : {"alpha", "beta", "gamma"}) {
        plugin loaded{name};
        check();
        loaded.close();
        check();
    }
}

TEST_CASE("An epoch that ends while a library is loaded changes neither its numbers nor its values",
          "[GROW-01][INIT-12]") {
    plugin alpha{"alpha"};
    catalogue before, after;
    {
        initialized tools;
        before = present_catalogue();
        CHECK(cvar{"alpha_limit"}.write(23) == MPI_SUCCESS);
    }
    CHECK(alpha.limit() == 23);
    initialized tools;
    after = present_catalogue();
    CHECK(before == after);
    CHECK(cvar{"alpha_limit"}.read() == 23);
}
