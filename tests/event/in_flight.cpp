// Who is inside: each thread that enters is seen until it leaves, however often it enters, and one that has ended is
// not waited for.

#include "../catch.hpp"

#include <mpit/event/in_flight.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace {

using mpit::internal::in_flight_count;

// An in-flight count whose cell is one of every shard, as registrations have.
struct with_a_cell : in_flight_count {
    with_a_cell() { assign_cell(); }
};
struct tree_with_shards : mpit::category<"presence", "Makes the shards of this program"> {
    mpit::counter<> any{this, "any", "A counter"};
};
inline constexpr auto& tree = mpit::registered<tree_with_shards>;

} // namespace

TEST_CASE("The count is zero at first, and a thread is counted until it has left as often as it has entered") {
    static with_a_cell own;
    static in_flight_count shared; // as a registration is that has found no cell
    CHECK(tree.name.length > 0);
    for (in_flight_count* each : {static_cast<in_flight_count*>(&own), &shared}) {
        CHECK(each->is_empty());
        auto& outer = each->enter();
        CHECK_FALSE(each->is_empty());
        auto& inner = each->enter();
        each->leave(inner);
        CHECK_FALSE(each->is_empty());
        each->leave(outer);
        CHECK(each->is_empty());
    }
}

TEST_CASE("A thread that is counted in one is not counted in another") {
    static with_a_cell first, second;
    auto& cell = first.enter();
    CHECK(second.is_empty());
    first.leave(cell);
    CHECK(first.is_empty());
}

TEST_CASE("Another thread sees the count, and is counted") {
    static with_a_cell both;
    std::atomic<int> stage{0};
    std::thread other{[&] {
        auto& cell = both.enter();
        stage = 1;
        while (stage.load() != 2) sched_yield();
        both.leave(cell);
        stage = 3;
        while (stage.load() != 4) sched_yield();
    }};
    while (stage.load() != 1) sched_yield();
    CHECK_FALSE(both.is_empty());
    auto& cell = both.enter();
    stage = 2;
    while (stage.load() != 3) sched_yield();
    CHECK_FALSE(both.is_empty());
    both.leave(cell);
    CHECK(both.is_empty());
    stage = 4;
    other.join();
}

TEST_CASE("A thread that has ended inside is not waited for") {
    static with_a_cell entered;
    std::thread{[] { entered.enter(); }}.join();
    // join() returns when the thread is done with its memory; the kernel forgets the thread a little later.
    for (int tries = 0; !entered.is_empty() && tries < 10000; tries++) usleep(1000);
    CHECK(entered.is_empty());
}

TEST_CASE("A thread with the number of an ended one inherits nothing of what that one was doing, and keeps its own "
          "shard and work") {
    static with_a_cell entered;
    static mpit::core::shard* of_ended = nullptr;
    static bool is_found = false, is_left = false, is_same = false, is_inside = false;
    std::thread{[] {
        entered.enter();
        of_ended = mpit::core::shard_of_this_thread();
        of_ended->nesting.store(1);
        of_ended->reader_state.store(1);
    }}.join();
    std::thread{[] {
        // As if the kernel had given the number again.
        const std::uint64_t number = mpit::core::detail::this_thread_identity();
        of_ended->owner.store(mpit::core::shard_owner::next(of_ended->owner.load(), number));
        is_found = mpit::core::shard_of_this_thread() == of_ended;
        is_left = entered.is_empty() && of_ended->nesting.load() == 0 && of_ended->reader_state.load() == 0;
        auto& cell = entered.enter();
        mpit::core::this_thread_shard = {}; // as that of another shared object, which has not looked for it yet
        is_same = mpit::core::shard_of_this_thread() == of_ended;
        is_inside = !entered.is_empty();
        entered.leave(cell);
    }}.join();
    CHECK(is_found);
    CHECK(is_left);
    CHECK(is_same);
    CHECK(is_inside);
}

TEST_CASE("Either a thread that enters sees that it is closed, or the thread that has closed it sees the count") {
    static with_a_cell room;
    constexpr int rounds = 4000;
    mpit::core::shard_set& shards = *mpit::core::shards.load();
    shards.fences.register_process();
    std::atomic<std::uint64_t> start{0}; // in cycles, so that both begin together
    std::atomic<int> closed{0}, has_entered{0}, has_looked{0};
    int unseen = 0;
    const auto wait_for = [](std::atomic<int>& what, int n) {
        for (int tries = 0; what.load() != n; tries++)
            if (tries > 1000) sched_yield();
    };
    std::atomic<int> turn{0}, was_open{0};
    std::thread other{[&] {
        for (int n = 1; n <= rounds; n++) {
            wait_for(turn, n);
            while (mpit::core::cycles() < start.load() + static_cast<std::uint64_t>(n % 64)) {}
            auto& cell = room.enter();
            was_open.store(closed.load(std::memory_order_relaxed) == 0);
            has_entered.store(n);
            wait_for(has_looked, n);
            room.leave(cell);
            has_entered.store(-n);
        }
    }};
    for (int n = 1; n <= rounds; n++) {
        closed = 0;
        start = mpit::core::cycles() + 2000;
        turn = n;
        while (mpit::core::cycles() < start.load()) {}
        closed.store(1, std::memory_order_relaxed);
        shards.fences.heavy();
        const bool is_empty = room.is_empty();
        wait_for(has_entered, n);
        unseen += is_empty && was_open.load() == 1;
        has_looked = n;
        wait_for(has_entered, -n);
    }
    other.join();
    CHECK(unseen == 0);
}
