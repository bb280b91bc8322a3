// A process that forks while it uses variables and the tool interface: the child goes on with both, and what it does is
// its own.
#include "../long_tests.hpp"
#include "../standard/another_process.hpp"
#include "child.hpp"
#include "plugin.hpp"

#include <mpit/mpi_t/info.hpp> // the objects that a thread holds at the fork

#include <atomic>
#include <cstdlib>
#include <sched.h>
#include <thread>

namespace {

unsigned long long value_of(const session& s, MPI_T_pvar_handle handle) {
    unsigned long long value = ~0ull;
    return MPI_T_pvar_read(s.handle, handle, &value) == MPI_SUCCESS ? value : ~0ull;
}

} // namespace

TEST_CASE_METHOD(initialized,
                 "A child continues counting from its parent's values, and the parent does not see its counts") {
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

// Both are process 1 of a namespace, and their threads have the numbers 1 and 2.
TEST_CASE("A child with the number of its parent, in a namespace of its own, counts in every thread") {
    // The thread sanitizer ends a forked child that starts a thread.
    if (MPIT_THREAD_SANITIZER) return;
    initialized tools;
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counter.start() == MPI_SUCCESS);
    constexpr int no_namespace = 99;
    const int failures = failures_in_child([&] {
        if (unshare(CLONE_NEWPID) != 0) return no_namespace;
        return failures_in_child([&] {
            if (getpid() != 1) return 1;
            std::atomic<bool> has_counted{false}, may_end{false};
            std::thread other{[&] {
                all.performances.counter += 100;
                has_counted = true;
                while (!may_end) std::this_thread::yield();
            }};
            while (!has_counted) std::this_thread::yield();
            int failed = unshare(CLONE_NEWPID) != 0;
            failed += failures_in_child([&] {
                int wrong = getpid() != 1;
                for (int i = 0; i < 3; i++) std::thread{[] { all.performances.counter += 10; }}.join();
                ++all.performances.counter;
                return wrong + (value_of(s, counter.handle) != 131);
            });
            may_end = true;
            other.join();
            return failed + (value_of(s, counter.handle) != 100);
        });
    });
    if (failures == no_namespace) std::printf("skipped: no namespace of processes can be made\n");
    else CHECK(failures == 0);
}

TEST_CASE_METHOD(initialized, "A child allocates handles and sessions, and those of its parent stay valid in both") {
    session s;
    cvar number{"C_INT"};
    CHECK(number.write(5) == MPI_SUCCESS);
    const int failures = failures_in_child([&] {
        int failed = 0, value = 6, count = 0;
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

TEST_CASE_METHOD(initialized,
                 "A child frees the handles of a thread that it does not have, whatever that was doing at the fork",
                 "[CVAR-15][HNDL-04]") {
    session s;
    const int control = cvar_index("C_INT"), counter = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER);
    std::atomic<MPI_T_cvar_handle> present{MPI_T_CVAR_HANDLE_NULL};
    std::atomic<MPI_T_pvar_handle> held{MPI_T_PVAR_HANDLE_NULL};
    std::atomic<bool> is_over{false};
    std::thread other{[&] {
        int count = 0;
        MPI_T_pvar_handle kept = MPI_T_PVAR_HANDLE_NULL;
        static_cast<void>(MPI_T_pvar_handle_alloc(s.handle, counter, nullptr, &kept, &count));
        held = kept;
        while (!is_over) {
            MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
            static_cast<void>(MPI_T_cvar_handle_alloc(control, nullptr, &handle, &count));
            present = handle;
            static_cast<void>(MPI_T_cvar_handle_free(&handle));
        }
    }};
    while (held == MPI_T_PVAR_HANDLE_NULL || present == MPI_T_CVAR_HANDLE_NULL) std::this_thread::yield();
    const int children = is_long() ? 2000 : 300;
    int failures = 0;
    for (int i = 0; i < children; i++)
        failures += failures_in_child([&] {
            int failed = 0, value = 0;
            unsigned long long total = 0;
            MPI_T_cvar_handle of_control = present;
            MPI_T_pvar_handle of_counter = held;
            // The thread may have been about to free it, or have freed it.
            static_cast<void>(MPI_T_cvar_handle_free(&of_control));
            failed += MPI_T_cvar_read(present, &value) != MPI_T_ERR_INVALID_HANDLE;
            failed += MPI_T_pvar_handle_free(s.handle, &of_counter) != MPI_SUCCESS;
            failed += MPI_T_pvar_read(s.handle, held, &total) != MPI_T_ERR_INVALID_HANDLE;
            return failed;
        });
    CHECK(failures == 0);
    is_over = true;
    other.join();
    CHECK(value_of(s, held) == 0);
}

TEST_CASE_METHOD(initialized, "A child loads a library, and its parent loads another one under the same numbers") {
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

TEST_CASE_METHOD(initialized, "A child that was made by a thread other than the first one counts too") {
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

namespace {

std::atomic<unsigned long> heard{0}, ends{0};
void hear(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { heard++; }
void end(MPI_T_event_registration, MPI_T_cb_safety, void*) { ends++; }

int mistakes_with_hints(MPI_Info inherited) {
    int found = 0, mistakes = 0, length = 20;
    char value[20] = "";
    MPI_Info own = MPI_INFO_NULL;
    mistakes += MPI_Info_set(inherited, "key", "of a child") != MPI_SUCCESS;
    mistakes += MPI_Info_get_string(inherited, "key", &length, value, &found) != MPI_SUCCESS || found == 0;
    mistakes += std::strcmp(value, "of a child") != 0;
    mistakes += MPI_Info_create(&own) != MPI_SUCCESS || MPI_Info_set(own, "a", "b") != MPI_SUCCESS;
    mistakes += MPI_Info_free(&own) != MPI_SUCCESS;
    return mistakes + (MPI_Info_free(&inherited) != MPI_SUCCESS);
}
int mistakes_with_events(MPI_T_event_registration inherited) {
    int index = -1, mistakes = 0;
    unsigned long expected = heard;
    for (int i = 0; i < 10; i++) {
        all.events.ordered(i);
        mistakes += heard != ++expected;
        all.events.clockless.defer(i);
        mistakes += heard != expected;
        all.events.clockless.deliver();
        mistakes += heard != ++expected;
    }
    MPI_T_event_registration own = nullptr;
    mistakes += MPI_T_event_get_index("e_ordered", &index) != MPI_SUCCESS;
    mistakes += MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own) != MPI_SUCCESS;
    mistakes +=
        MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, nullptr, &hear) != MPI_SUCCESS;
    all.events.ordered(1);
    mistakes += heard != expected + 2;
    const unsigned long ended = ends;
    mistakes += MPI_T_event_handle_free(own, nullptr, &end) != MPI_SUCCESS || ends != ended + 1;
    mistakes += MPI_T_event_handle_free(inherited, nullptr, &end) != MPI_SUCCESS || ends != ended + 2;
    all.events.ordered(1);
    return mistakes + (heard != expected + 2);
}

} // namespace

TEST_CASE_METHOD(
    initialized,
    "A child of a process whose threads are busy everywhere uses everything, also hints, libraries and children") {
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    registration ordered{"e_ordered"}, clockless{"e_clockless"}, busy{"e_plain"};
    hints shared{{"key", "value"}};
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(ordered.call(&hear, nullptr, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    REQUIRE(clockless.call(&hear, nullptr, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    std::atomic<unsigned long> calls{0}, raises{0};
    const auto use_hints = [](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void* count) {
        ++*static_cast<std::atomic<unsigned long>*>(count);
    };
    REQUIRE(busy.call(use_hints, &calls, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    std::atomic<bool> done{false};
    const int index_of_plain = event_index("e_plain");
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&] {
            while (!done) {
                all.events.plain(1, 2, 3ul);
                raises++;
                all.events.ordered_too(1);
                MPI_Info_set(shared.info, "key", "of a parent");
                MPI_T_event_registration own = nullptr;
                MPI_T_event_handle_alloc(index_of_plain, nullptr, MPI_INFO_NULL, &own);
                MPI_T_event_handle_free(own, nullptr, nullptr);
                unsigned long long value = 0;
                MPI_T_pvar_read(s.handle, counter.handle, &value);
            }
        });
    const int children = is_long() ? 3000 : MPIT_THREAD_SANITIZER ? 20 : 150;
    int failures = 0;
    for (int i = 0; i < children && failures == 0; i++)
        failures = failures_in_child([&] {
            int mistakes = mistakes_with_hints(shared.info) + mistakes_with_events(ordered.handle);
            const unsigned long long before = value_of(s, counter.handle);
            all.performances.counter += 3;
            mistakes += value_of(s, counter.handle) != before + 3;
#if !MPIT_THREAD_SANITIZER
            int index = -1;
            {
                const plugin alpha{"alpha"};
                alpha.count(1);
                mistakes += MPI_T_cvar_get_index("alpha_limit", &index) != MPI_SUCCESS;
            }
#endif
            const pid_t grandchild = fork();
            if (grandchild == 0) syscall(SYS_exit_group, value_of(s, counter.handle) != before + 3);
            int status = -1;
            return mistakes + (waitpid(grandchild, &status, 0) != grandchild || status != 0);
        });
    CHECK(failures == 0);
    done = true;
    for (std::thread& each : threads) each.join();
    CHECK(calls == raises);
    CHECK(heard == 0);
    CHECK(counter.read() == 0);
    std::printf("%d children of a busy process\n", children);
}

TEST_CASE("Threads of a child use info objects if the parent has many") {
    std::vector<MPI_Info> inherited(100);
    for (MPI_Info& each : inherited) REQUIRE(MPI_Info_create(&each) == MPI_SUCCESS);
    const pid_t child = fork();
    if (child == 0) {
        std::thread{[&] {
            int mistakes = 0;
            for (MPI_Info each : inherited) mistakes += mistakes_with_hints(each);
            _exit(mistakes); // ThreadSanitizer makes it another status where it has seen something
        }}.join();
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    for (MPI_Info& each : inherited) CHECK(MPI_Info_free(&each) == MPI_SUCCESS);
}

TEST_CASE("A child uses objects that a thread of its parent was using at the fork and never releases") {
    hints shared{{"key", "value"}};
    std::atomic<int> inside{0}, may_go_on{0};
    const auto stay = [&](const mpit::info&) {
        inside++;
        while (may_go_on == 0) std::this_thread::yield();
    };
    std::thread of_object{[&] { mpit::session::the_info_objects.use(mpit::mpi_t::word_of(shared.info), stay); }};
    std::thread of_environment{[&] { static_cast<void>(mpit::session::the_info_environment.use(stay)); }};
    while (inside != 2) std::this_thread::yield();
    const int failures = failures_in_child([&] {
        int count = -1, mistakes = MPI_Info_get_nkeys(MPI_INFO_ENV, &count) != MPI_SUCCESS;
        return mistakes + mistakes_with_hints(shared.info);
    });
    may_go_on = 1;
    of_object.join();
    of_environment.join();
    CHECK(failures == 0);
}

TEST_CASE_METHOD(initialized,
                 "A child that is forked inside a callback continues the delivery, and so does its parent") {
    for (const char* event : {"e_plain", "e_ordered"}) {
        static int failures, calls;
        static bool is_child;
        failures = calls = 0;
        is_child = false;
        registration r{event};
        REQUIRE(r.call([](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
            int number = 0;
            if (++calls != 1) return;
            const pid_t child = fork();
            is_child = child == 0;
            failures += MPI_T_event_read(instance, 0, &number) != MPI_SUCCESS || number != 4;
            if (is_child) return static_cast<void>(alarm(60));
            int status = -1;
            failures += waitpid(child, &status, 0) != child || status != 0;
        }) == MPI_SUCCESS);
        const auto raise_one = [&](int number) {
            if (std::string{event} == "e_plain") all.events.plain(number, 0, 0ul);
            else all.events.ordered(number);
        };
        raise_one(4);
        raise_one(5);
        const bool is_ended = MPI_T_event_handle_free(r.handle, nullptr, &end) == MPI_SUCCESS && ends != 0;
        if (is_child) syscall(SYS_exit_group, failures + (calls != 2) + !is_ended);
        r.handle = nullptr;
        CHECK(failures == 0);
        CHECK(calls == 2);
        CHECK(is_ended);
        ends = 0;
    }
}

// Runs as a program of its own.
TEST_CASE_METHOD(initialized, "descriptions in a new process", "[.]") {
    const numbers n = present_numbers();
    std::printf("facts: %d %d %d %d\n", n.cvars, n.pvars, n.categories, cvar{"C_RANGED"}.read());
}
TEST_CASE_METHOD(
    initialized,
    "A child that executes the program anew has a fresh index, and takes the environment that its parent gave") {
    const numbers before = present_numbers();
    const plugin beta{"beta"};
    CHECK(cvar{"C_RANGED"}.write(11) == MPI_SUCCESS);
    CHECK(present_numbers().cvars >= before.cvars);
    int failures = -1;
    std::thread{[&] {
        failures = failures_in_child([&] {
            const auto facts = lines_of_another_process("descriptions in a new process", "facts:", "C_RANGED=77");
            int cvars = -1, pvars = -1, categories = -1, ranged = -1;
            if (facts.size() != 1 ||
                std::sscanf(facts[0].c_str(), "facts: %d %d %d %d", &cvars, &pvars, &categories, &ranged) != 4)
                return 50;
            const catalogue here = present_catalogue();
            std::size_t first_of_plugin = 0;
            while (here.cvars[first_of_plugin].rfind("alpha", 0) != 0 &&
                   here.cvars[first_of_plugin].rfind("beta", 0) != 0)
                first_of_plugin++;
            return (static_cast<std::size_t>(cvars) != first_of_plugin) + 2 * (ranged != 77);
        });
    }}.join();
    CHECK(failures == 0);
    CHECK(cvar{"C_RANGED"}.read() == 11);
}
