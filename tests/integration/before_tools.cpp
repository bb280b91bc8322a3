// Functions that run before the first tool of a process is answered, and libraries that come and go before it. Each
// test but the last runs in a child to which no tool has come.
#include "child.hpp"
#include "plugin.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

namespace {

constexpr int own_code = MPI_T_ERR_INVALID + 4000;

// Counts what does not hold, for the status of the child.
struct checks {
    int failed = 0;
    void operator()(bool holds, const char* what) {
        if (holds) return;
        failed++;
        std::printf("not so: %s\n", what);
        std::fflush(stdout);
    }
};

std::atomic<int> calls{0}, later_calls{0};
std::atomic<bool> is_refusing{false};

// A group stays until the end of the process, as a runtime's does.
int describe(void*) noexcept {
    calls++;
    if (is_refusing) return own_code;
    static int storage = 11;
    alignas(mpit::dynamic) static unsigned char room[sizeof(mpit::dynamic)];
    auto* const group = new (room) mpit::dynamic{"before", "Described when a tool comes"};
    if (group->control<int>("BEFORE_LIMIT", "A number", {.storage = &storage}) != mpit::result::success) return 1;
    return group->publish().seen == 1 ? 0 : 2;
}
int count_later(void* data) noexcept {
    later_calls++;
    *static_cast<int*>(data) = calls;
    return 0;
}
int initialize_itself(void*) noexcept {
    int provided = 0;
    calls++;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && MPI_T_finalize() == MPI_SUCCESS ? 0 : 3;
}
bool is_added(int (*function)(void*), void* data = nullptr) {
    return mpit::before_tools(function, data) == mpit::result::success;
}
int init() {
    int provided = 0;
    return MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
}
int value_of(const char* name) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int index = -1, count = 0, value = -1;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return -2;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return -3;
    MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return value;
}

} // namespace

TEST_CASE("A function runs once, before the first initialization answers, and tools see what it has described") {
    CHECK(failures_in_child([] {
        checks check;
        check(is_added(&describe), "it is added");
        check(calls == 0, "it waits for a tool");
        check(init() == MPI_SUCCESS && calls == 1, "it has run when the first tool is answered");
        check(value_of("BEFORE_LIMIT") == 11, "its variable is there");
        check(init() == MPI_SUCCESS && MPI_T_finalize() == MPI_SUCCESS && MPI_T_finalize() == MPI_SUCCESS,
              "the interface ends");
        check(init() == MPI_SUCCESS && calls == 1, "it does not run again in the next epoch");
        return check.failed;
    }) == 0);
}

TEST_CASE("A function that refuses makes the initialization fail with its own code, and runs again at the next one") {
    CHECK(failures_in_child([] {
        checks check;
        int seen = -1, provided = -7, count = 0;
        is_refusing = true;
        check(is_added(&describe) && is_added(&count_later, &seen), "they are added");
        check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == own_code, "the code is the function's own");
        check(provided == -7, "no level is written");
        check(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED, "nothing is initialized");
        check(later_calls == 0, "the functions after it do not run");
        is_refusing = false;
        check(init() == MPI_SUCCESS && calls == 2, "it runs again");
        check(later_calls == 1 && seen == 2, "the others run after it");
        check(value_of("BEFORE_LIMIT") == 11, "its variable is there");
        return check.failed;
    }) == 0);
}

TEST_CASE("A function may initialize the interface itself") {
    CHECK(failures_in_child([] {
        checks check;
        check(is_added(&initialize_itself) && is_added(&describe), "they are added");
        check(init() == MPI_SUCCESS && calls == 2, "each has run once");
        check(value_of("BEFORE_LIMIT") == 11, "what the second has described is there");
        return check.failed;
    }) == 0);
}

TEST_CASE("Threads that initialize at once all see what the function has described") {
    CHECK(failures_in_child([] {
        checks check;
        check(is_added(&describe), "it is added");
        std::atomic<int> good{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; i++)
            threads.emplace_back([&] { good += init() == MPI_SUCCESS && value_of("BEFORE_LIMIT") == 11; });
        for (std::thread& each : threads) each.join();
        check(good == 8, "all threads read the variable");
        check(calls == 1, "it has run once");
        return check.failed;
    }) == 0);
}

TEST_CASE("A function that is added after the first tool runs at once") {
    CHECK(failures_in_child([] {
        checks check;
        check(init() == MPI_SUCCESS, "the interface is initialized");
        check(is_added(&describe) && calls == 1, "it runs when it is added");
        check(value_of("BEFORE_LIMIT") == 11, "its variable is there for the next call");
        is_refusing = true;
        check(mpit::before_tools(&describe) == mpit::result::cannot_initialize, "a refusal is the answer");
        check(init() == own_code, "and that of the next initialization");
        return check.failed;
    }) == 0);
}

TEST_CASE("A reader of the registry is a tool, too") {
    CHECK(failures_in_child([] {
        checks check;
        check(is_added(&describe), "it is added");
        check(static_cast<bool>(mpit::tool::find_control("BEFORE_LIMIT")) && calls == 1,
              "the reader finds the variable");
        return check.failed;
    }) == 0);
}

TEST_CASE("The function of a library that was closed is not called") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    CHECK(failures_in_child([] {
        checks check;
        int calls_of_plugin = 0;
        plugin closed{"before_tools_plugin"};
        check(closed.function<int(int*)>("plugin_waits_for_tools")(&calls_of_plugin) == 0, "it is added");
        closed.close();
        check(!closed.is_loaded(), "the library is unloaded");
        check(init() == MPI_SUCCESS && calls_of_plugin == 0, "its function is not called");
        plugin open{"before_tools_plugin"};
        check(open.function<int(int*)>("plugin_waits_for_tools")(&calls_of_plugin) == 0, "it is added again");
        check(calls_of_plugin == 1, "and runs at once");
        return check.failed;
    }) == 0);
}

// The last one, since it is the first tool of this process.
TEST_CASE("A tool that starts late finds all loaded variables with their earlier counts, and no unloaded ones",
          "[GROW-01][GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    setenv("beta_limit", "17", 1);
    plugin alpha{"alpha"};
    alpha.count(3);
    CHECK(alpha.calls() == 3);
    alpha.close();
    CHECK_FALSE(alpha.is_loaded());

    plugin beta{"beta"};
    unsetenv("beta_limit");
    CHECK(beta.limit() == 17);
    beta.count(4);
    {
        initialized tools;
        CHECK(cvar_index("beta_limit") >= 0);
        int number = -1;
        CHECK(MPI_T_cvar_get_index("alpha_limit", &number) == MPI_T_ERR_INVALID_NAME);
        CHECK(beta.calls() == 4);
    }
    plugin alpha_again{"alpha"};
    CHECK(alpha_again.calls() == 0);
    alpha_again.count(5);
    initialized tools;
    const int number = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER);
    alpha_again.close();
    plugin alpha_at_last{"alpha"};
    CHECK(alpha_at_last.calls() == 5);
    CHECK(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == number);
}
