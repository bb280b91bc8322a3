// Handles that end together share the fences that the kernel runs on every processor. The slot of a freed handle
// becomes the next handle of any thread; model.cpp has what tools see of it, and tests/model_check/stale_handles.cpp the
// moment in which another thread frees a handle. The counting of init and finalize.
#include "../tool.hpp"

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/mpit.hpp>
#include <mpit/session/epochs.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <sys/syscall.h>
#include <thread>
#include <vector>

namespace {

struct what {
    int number;
};
struct told_tree : mpit::category<"told", "Events of this test"> {
    mpit::event<what> told{this, "told", "Something happened"};
};
inline constexpr auto& tree = mpit::registered<told_tree>;

std::atomic<int> fences{0}, calls{0};
constexpr int fences_of_each = 1; // finalization: an allocation beside it finds its end, or is found
void count_call(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { calls++; }

} // namespace

// In place of the C library's, for this program alone.
extern "C" long syscall(long number, ...) noexcept {
    static const auto next = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
    if (number == SYS_membarrier) fences++;
    std::va_list given;
    va_start(given, number);
    long words[6];
    for (long& each : words) each = va_arg(given, long);
    va_end(given);
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// The first one, so that no other has taken slots before.
TEST_CASE("Handles that one thread allocates and another one frees take no more memory the longer they do so",
          "[CVAR-13]") {
    initialized now;
    constexpr std::size_t together = 40;
    const int control = cvar_index("C_INT");
    std::array<MPI_T_cvar_handle, together> handles{};
    std::uint32_t highest = 0;
    for (int round = 0; round < 100; round++) {
        for (MPI_T_cvar_handle& each : handles) {
            int count = 0;
            REQUIRE(MPI_T_cvar_handle_alloc(control, nullptr, &each, &count) == MPI_SUCCESS);
            highest = std::max(highest, mpit::core::handle_word::slot(reinterpret_cast<std::uintptr_t>(each)));
        }
        std::thread{[&] {
            for (MPI_T_cvar_handle& each : handles) CHECK(MPI_T_cvar_handle_free(&each) == MPI_SUCCESS);
        }}.join();
    }
    CHECK(highest < 3 * together);
}

TEST_CASE("A finalization that ends two hundred registrations runs few fences, and no callback is called afterwards",
          "[EVT-34]") {
    constexpr int count = 200, together = 64;
    int of_one = 0, of_all = 0;
    {
        const initialized tools;
        registration one{"told"};
        const int before = fences;
        CHECK(one.free() == MPI_SUCCESS);
        of_one = fences - before;
    }
    for (int round = 0; round < 2; round++) {
        calls = 0;
        {
            const initialized tools;
            for (int i = 0; i < count; i++) {
                registration each{"told"};
                CHECK(each.call(&count_call) == MPI_SUCCESS);
                each.handle = nullptr; // the finalization frees it
            }
            tree.told(7);
            CHECK(calls == count);
            of_all = fences;
        }
        of_all = fences - of_all;
        CHECK(of_all <= of_one * ((count + together - 1) / together) + fences_of_each);
        tree.told(8);
        CHECK(calls == count);
    }
    if (of_one == 0) std::puts("skipped: this process runs no fences of the kernel");
}

TEST_CASE("A finalization that ends six hundred handles of another thread runs few fences, and one that ends its own "
          "runs one",
          "[INIT-11]") {
    constexpr int count = 200;
    const auto allocate = [] {
        MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL, other = MPI_T_PVAR_SESSION_NULL;
        REQUIRE(MPI_T_pvar_session_create(&in) == MPI_SUCCESS);
        for (int i = 0; i < count; i++) {
            MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
            MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;
            int elements = 0;
            REQUIRE(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &control, &elements) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_handle_alloc(in, pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER), nullptr, &counter,
                                            &elements) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_session_create(&other) == MPI_SUCCESS);
        }
    };
    int fences_of_own = 0, fences_of_others = 0;
    {
        const initialized tools;
        allocate();
        fences_of_own = fences;
    }
    fences_of_own = fences - fences_of_own;
    CHECK(fences_of_own <= fences_of_each);
    {
        const initialized tools;
        std::thread{allocate}.join();
        fences_of_others = fences;
    }
    fences_of_others = fences - fences_of_others;
    CHECK(fences_of_others <= 12 + fences_of_each);
    const initialized tools;
    MPI_T_cvar_handle again = MPI_T_CVAR_HANDLE_NULL;
    int elements = 0;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &again, &elements) == MPI_SUCCESS);
}

TEST_CASE("A handle on a variable that always runs has the same value for all threads", "[HNDL-03][HNDL-09]") {
    initialized now;
    session in;
    for (int round = 0; round < 3; round++) {
        pvar counter{in, "p_continuous", MPI_T_PVAR_CLASS_COUNTER};
        int wrong = 0;
        for (unsigned long long i = 0; i < 5; i++) {
            REQUIRE(counter.read() == i);
            std::thread{[&] {
                unsigned long long value = 0;
                wrong += MPI_T_pvar_read(in.handle, counter.handle, &value) != MPI_SUCCESS || value != i;
                wrong += MPI_T_pvar_start(in.handle, counter.handle) != MPI_T_ERR_PVAR_NO_STARTSTOP;
            }}.join();
            REQUIRE(counter.stop() == MPI_T_ERR_PVAR_NO_STARTSTOP);
            ++all.performances.continuous;
        }
        CHECK(wrong == 0);
        std::thread{[&] { CHECK(counter.reset() == MPI_SUCCESS); }}.join();
        REQUIRE(counter.read() == 0);
        ++all.performances.continuous;
        REQUIRE(counter.read() == 1);
        REQUIRE(MPI_T_pvar_handle_free(in.handle, &counter.handle) == MPI_SUCCESS);
    }
}

TEST_CASE("Handles and sessions that are freed in any order by any thread are freed once, and refused afterwards",
          "[HNDL-04][HNDL-06]") {
    initialized now;
    constexpr int threads = 4, rounds = 3000, handles_of_each = 8;
    static std::atomic<MPI_T_cvar_handle> cvars[threads][handles_of_each];
    static std::atomic<MPI_T_pvar_session> sessions[threads][handles_of_each];
    std::atomic<long> made{0}, freed{0}, wrong{0};
    const int control = cvar_index("C_INT"), counter = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER);
    std::vector<std::thread> all_threads;
    for (int me = 0; me < threads; me++)
        all_threads.emplace_back([&, me] {
            std::mt19937 random{static_cast<unsigned>(me) + 1};
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < handles_of_each; i++) {
                    MPI_T_cvar_handle c = MPI_T_CVAR_HANDLE_NULL;
                    MPI_T_pvar_session s = MPI_T_PVAR_SESSION_NULL;
                    MPI_T_pvar_handle p = MPI_T_PVAR_HANDLE_NULL;
                    int count = 0;
                    wrong += MPI_T_cvar_handle_alloc(control, nullptr, &c, &count) != MPI_SUCCESS;
                    wrong += MPI_T_pvar_session_create(&s) != MPI_SUCCESS;
                    if (i % 2 == 0) wrong += MPI_T_pvar_handle_alloc(s, counter, nullptr, &p, &count) != MPI_SUCCESS;
                    made += 2;
                    cvars[me][i] = c;
                    sessions[me][i] = s;
                }
                for (int i = 0; i < 2 * handles_of_each; i++) {
                    // Mostly its own.
                    const unsigned owner = random() % 4 != 0 ? static_cast<unsigned>(me) : random() % threads;
                    const unsigned which = random() % handles_of_each;
                    MPI_T_cvar_handle c = cvars[owner][which];
                    MPI_T_pvar_session s = sessions[owner][which];
                    MPI_T_cvar_handle given = c;
                    if (c != MPI_T_CVAR_HANDLE_NULL && MPI_T_cvar_handle_free(&given) == MPI_SUCCESS) {
                        freed++;
                        int value = 0;
                        wrong += MPI_T_cvar_read(c, &value) != MPI_T_ERR_INVALID_HANDLE;
                    }
                    MPI_T_pvar_session ended = s;
                    if (s != MPI_T_PVAR_SESSION_NULL && MPI_T_pvar_session_free(&ended) == MPI_SUCCESS) {
                        freed++;
                        MPI_T_pvar_handle p = MPI_T_PVAR_HANDLE_NULL;
                        int count = 0;
                        wrong += MPI_T_pvar_handle_alloc(s, counter, nullptr, &p, &count) != MPI_T_ERR_INVALID_SESSION;
                    }
                }
                for (int i = 0; i < handles_of_each; i++) {
                    MPI_T_cvar_handle c = cvars[me][i].exchange(MPI_T_CVAR_HANDLE_NULL);
                    MPI_T_pvar_session s = sessions[me][i].exchange(MPI_T_PVAR_SESSION_NULL);
                    freed += MPI_T_cvar_handle_free(&c) == MPI_SUCCESS;
                    freed += MPI_T_pvar_session_free(&s) == MPI_SUCCESS;
                }
            }
        });
    for (std::thread& each : all_threads) each.join();
    CHECK(wrong == 0);
    CHECK(freed == made);
}

TEST_CASE("A thread uses the slots of one that has ended, and frees its handles", "[HNDL-04]") {
    initialized now;
    session in;
    for (int round = 0; round < 200; round++) {
        MPI_T_cvar_handle left = MPI_T_CVAR_HANDLE_NULL;
        MPI_T_pvar_handle counted = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        std::thread{[&] {
            const cvar kept{"C_INT"};
            REQUIRE(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &left, &count) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER), nullptr,
                                            &counted, &count) == MPI_SUCCESS);
        }}.join();
        const auto free_both = [&] {
            MPI_T_cvar_handle c = left;
            MPI_T_pvar_handle p = counted;
            CHECK(MPI_T_cvar_handle_free(&c) == MPI_SUCCESS);
            CHECK(MPI_T_pvar_handle_free(in.handle, &p) == MPI_SUCCESS);
            c = left, p = counted;
            CHECK(MPI_T_cvar_handle_free(&c) == MPI_T_ERR_INVALID_HANDLE);
            CHECK(MPI_T_pvar_handle_free(in.handle, &p) == MPI_T_ERR_INVALID_HANDLE);
        };
        if (round % 2 == 0) std::thread{free_both}.join();
        else free_both();
    }
}

namespace {

using mpit::result;
using mpit::thread_level;
using mpit::session::epoch_counter;

thread_level open(epoch_counter& counting, thread_level required) {
    thread_level provided{};
    REQUIRE(counting.initialize(required, provided) == result::success);
    return provided;
}
std::uint32_t close(epoch_counter& counting) {
    std::uint32_t ended = 77;
    REQUIRE(counting.finalize(ended) == result::success);
    return ended;
}

// Counting that has gone on for long: the count stands in the upper half of its word, the epoch in the lowest 30 bits.
void go_on_from(epoch_counter& counting, std::uint64_t count, std::uint64_t epoch) {
    const std::uint64_t word = count << 32 | epoch;
    static_assert(sizeof counting == sizeof word);
    std::memcpy(static_cast<void*>(&counting), &word, sizeof word);
    REQUIRE(counting.is_open() == (count != 0));
    REQUIRE(counting.current() == epoch);
}

} // namespace

TEST_CASE("The numbers of epochs begin again with 1 and not with 0, which would end nothing") {
    epoch_counter counting;
    go_on_from(counting, 0, (1u << 30) - 1);
    CHECK(open(counting, thread_level::serialized) == thread_level::serialized);
    CHECK(counting.current() == 1);
    CHECK(close(counting) == 1);
}

TEST_CASE("A count that cannot grow refuses the next init and stays what it is") {
    epoch_counter counting;
    go_on_from(counting, 0xffffffff, 5);
    thread_level provided = thread_level::multiple;
    CHECK(counting.initialize(thread_level::single, provided) == result::cannot_initialize);
    CHECK(provided == thread_level::multiple);
    CHECK(close(counting) == 0);
    CHECK(open(counting, thread_level::multiple) == thread_level::single);
}

TEST_CASE("Of threads that finalize at once, exactly one ends each epoch") {
    epoch_counter counting;
    std::atomic<int> closed_inside{0}, failed{0};
    std::atomic<std::uint32_t> ends{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 5000; i++) {
                thread_level provided{};
                failed += counting.initialize(thread_level::multiple, provided) != result::success;
                closed_inside += !counting.is_open();
                const std::uint32_t present = counting.current();
                std::uint32_t ended = 77;
                failed += counting.finalize(ended) != result::success;
                failed += ended != 0 && ended != present;
                ends += ended != 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(failed == 0);
    CHECK(closed_inside == 0);
    CHECK_FALSE(counting.is_open());
    CHECK(ends == counting.current());
}
