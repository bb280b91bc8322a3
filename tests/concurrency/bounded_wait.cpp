// Waiting for a turn: a thread that others overtake for longer than the limit of a second waits on, and is not refused.
#include "catch.hpp"

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/over_mpi/try_lock.hpp>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace {

using std::chrono::milliseconds;

// Six threads take one thing again and again, and hold it for some milliseconds each time: a thread that waits rarely
// sees it free.
template <class Take> int refused_of(Take take) {
    std::atomic<int> refused{0};
    std::latch present{6};
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; i++)
        threads.emplace_back([&] {
            present.arrive_and_wait();
            for (int n = 0; n < 100; n++) refused += !take();
        });
    for (std::thread& each : threads) each.join();
    return refused;
}

} // namespace

TEST_CASE("A writer of a value of several words that others overtake for more than a second is not refused") {
    mpit::core::buffer_selection present;
    CHECK(refused_of([&] { return present.write([](int) { std::this_thread::sleep_for(milliseconds{16}); }); }) == 0);
}

TEST_CASE("A thread that others overtake for more than a second takes a lock that gives up") {
    mpit::over_mpi::try_lock lock;
    CHECK(refused_of([&] { return lock.take([] { std::this_thread::sleep_for(milliseconds{4}); }); }) == 0);
}

TEST_CASE("A lock that gives up refuses the thread that has it, and after a second another one") {
    mpit::over_mpi::try_lock lock;
    bool is_taken_twice = true, is_taken_by_other = true;
    CHECK(lock.take([&] {
        is_taken_twice = lock.take([] {});
        std::thread{[&] { is_taken_by_other = lock.take([] {}); }}.join();
    }));
    CHECK_FALSE(is_taken_twice);
    CHECK_FALSE(is_taken_by_other);
}
