// A lock that is only tried: one thread holds it at a time, this one knows that it does, and whoever was refused finds
// its work done, whether the lock belongs to one thread or to all.

#include "../catch.hpp"

#include <mpit/concurrency/biased_lock.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using mpit::core::biased_lock;

struct tree_with_shards : mpit::category<"biased_lock", "Makes the shards of this program"> {
    mpit::counter<> any{this, "any", "A counter"};
};
inline constexpr auto& tree = mpit::registered<tree_with_shards>;

template <class Act> void in_another_thread(Act act) { std::thread{act}.join(); }

// Makes the lock one of all threads.
void end_ownership(biased_lock& lock) {
    REQUIRE(lock.try_lock());
    in_another_thread([&] { lock.try_lock(); });
    lock.unlock();
}

} // namespace

TEST_CASE("A lock that is held is refused to its holder, and to other threads, and then free again") {
    CHECK(tree.name.length > 0);
    for (const bool is_shared : {false, true}) {
        biased_lock lock;
        if (is_shared) end_ownership(lock);
        for (int round = 0; round < 3; round++) {
            CHECK_FALSE(lock.is_held_by_this_thread());
            REQUIRE(lock.try_lock());
            CHECK(lock.is_held_by_this_thread());
            CHECK_FALSE(lock.try_lock());
            bool is_taken = true, is_held_there = true;
            in_another_thread([&] { is_held_there = lock.is_held_by_this_thread(), is_taken = lock.try_lock(); });
            CHECK_FALSE(is_taken);
            CHECK_FALSE(is_held_there);
            CHECK(lock.is_held_by_this_thread());
            lock.unlock();
            in_another_thread([&] {
                if (lock.try_lock()) is_taken = true, lock.unlock();
            });
            CHECK(is_taken);
        }
    }
}

TEST_CASE("A lock that a thread has left held can be reset") {
    for (const bool is_shared : {false, true}) {
        biased_lock lock;
        if (is_shared) end_ownership(lock);
        in_another_thread([&] { CHECK(lock.try_lock()); });
        CHECK_FALSE(lock.try_lock());
        lock.reset();
        REQUIRE(lock.try_lock());
        CHECK_FALSE(lock.try_lock());
        lock.unlock();
    }
}

TEST_CASE("In the child of a fork a lock is free where another thread held it, and still held where the thread that "
          "forks did") {
    for (const bool is_own : {false, true}) {
        biased_lock lock;
        const auto take = [&] { lock.try_lock(); };
        is_own ? take() : in_another_thread(take);
        const pid_t child = fork();
        if (child == 0) {
            const bool was_forgotten = lock.reset_other_threads();
            _exit(was_forgotten != is_own && lock.try_lock() != is_own ? 0 : 1);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
}

TEST_CASE("What threads leave for whoever holds the lock is done once, by one thread at a time, and none is left") {
    constexpr int threads = 4, each = 1'000;
    for (int round = 0; round < 20; round++) {
        biased_lock lock;
        std::atomic<int> left{0}, wrong{0};
        int done = 0, holders = 0;
        const auto work = [&] {
            for (int n = 0; n < each; n++) {
                left++;
                while (left.load() != 0 && lock.try_lock()) {
                    wrong += ++holders != 1;
                    done += left.exchange(0);
                    holders--;
                    lock.unlock();
                }
            }
        };
        work(); // the lock belongs to this thread
        std::vector<std::thread> all;
        for (int t = 1; t < threads; t++) all.emplace_back(work);
        work();
        for (std::thread& one : all) one.join();
        CHECK(wrong == 0);
        CHECK(left == 0);
        CHECK(done == (threads + 1) * each);
    }
}
