// A process that forks while it uses variables and the tool interface: the child goes on with both, and what it does is
// its own.
#include "plugin.hpp"

#include <cstdlib>
#include <sys/wait.h>
#include <thread>

namespace {

// Runs a function in a child, and answers the number of checks that it says have failed.
template <class Function> int failures_in_child(Function function) {
    const pid_t child = fork();
    if (child == 0) _exit(function());
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

unsigned long long value_of(const session& s, MPI_T_pvar_handle handle) {
    unsigned long long value = ~0ull;
    return MPI_T_pvar_read(s.handle, handle, &value) == MPI_SUCCESS ? value : ~0ull;
}

} // namespace

TEST_CASE("A child counts and reads on from where its parent was, and the parent sees nothing of it") {
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    pvar real{s, "p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE};
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(real.start() == MPI_SUCCESS);
    all.performances.counter += 5;
    std::thread{[] { all.performances.counter += 100; }}.join();
    const int failures = failures_in_child([&] {
        int failed = value_of(s, counter.handle) != 105;
        for (int i = 0; i < 1000; i++) ++all.performances.counter;
        all.performances.aggregate_double += 2.5;
        double sum = 0;
        failed += value_of(s, counter.handle) != 1105;
        failed += MPI_T_pvar_read(s.handle, real.handle, &sum) != MPI_SUCCESS || sum != 2.5;
        return failed;
    });
    CHECK(failures == 0);
    ++all.performances.counter;
    CHECK(counter.read() == 106);
    CHECK(real.read<double>() == 0);
}

TEST_CASE("A child allocates handles and sessions, and those of its parent stay valid in both") {
    initialized tools;
    session s;
    cvar number{"C_INT"};
    CHECK(number.write(5) == MPI_SUCCESS);
    const int failures = failures_in_child([&] {
        int failed = 0, value = 6, count = 0, provided = -1;
        failed += MPI_T_cvar_write(number.handle, &value) != MPI_SUCCESS || all.controls.plain != 6;
        MPI_T_pvar_session own = MPI_T_PVAR_SESSION_NULL;
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int index = -1;
        failed += MPI_T_pvar_session_create(&own) != MPI_SUCCESS;
        failed += MPI_T_pvar_get_index("p_counter", MPI_T_PVAR_CLASS_COUNTER, &index) != MPI_SUCCESS;
        failed += MPI_T_pvar_handle_alloc(own, index, nullptr, &handle, &count) != MPI_SUCCESS;
        failed += MPI_T_pvar_start(own, handle) != MPI_SUCCESS;
        ++all.performances.counter;
        unsigned long long total = 0;
        failed += MPI_T_pvar_read(own, handle, &total) != MPI_SUCCESS || total != 1;
        failed += MPI_T_cvar_handle_free(&number.handle) != MPI_SUCCESS;
        failed += MPI_T_finalize() != MPI_SUCCESS || MPI_T_finalize() != MPI_T_ERR_NOT_INITIALIZED;
        failed += MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS;
        return failed;
    });
    CHECK(failures == 0);
    CHECK(number.read() == 5);
}

TEST_CASE("A child loads a library, and its parent loads another one under the same numbers") {
    initialized tools;
    const numbers before = present_numbers();
    const int failures = failures_in_child([&] {
        const plugin alpha{"alpha"};
        int index = -1;
        return (MPI_T_cvar_get_index("alpha_limit", &index) != MPI_SUCCESS) + (index != before.cvars);
    });
    CHECK(failures == 0);
    CHECK(present_numbers() == before);
    const plugin beta{"beta"};
    CHECK(cvar_index("beta_limit") == before.cvars);
}

TEST_CASE("A child that was made by a thread other than the first one counts too") {
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.performances.counter;
    int failures = -1;
    std::thread{[&] {
        ++all.performances.counter;
        failures = failures_in_child([&] {
            ++all.performances.counter;
            return value_of(s, counter.handle) != 3;
        });
    }}.join();
    CHECK(failures == 0);
    CHECK(counter.read() == 2);
}
