// What raises and callbacks meet without a lock: the place of a callback, of which nobody sees a mixture; the count
// of who is inside, from which a thread that has ended is missing; and the queue in which deferred instances wait, as
// many as there is room for, whole and in the order of each author.
#include "../alarms.hpp"
#include "../catch.hpp"

#include <mpit/event/callback_slot.hpp>
#include <mpit/event/in_flight.hpp>
#include <mpit/event/instance_queue.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <deque>
#include <random>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace {

using mpit::internal::callback;
using mpit::internal::callback_slot;

void some_function() {}
void other_function() {}

// A callback whose parts belong together.
callback numbered(std::uint64_t n) {
    return {n % 2 == 0 ? &some_function : &other_function, reinterpret_cast<void*>(n), n};
}
bool is_whole(const callback& c) {
    const callback wanted = numbered(c.one_in);
    return c.user_data == wanted.user_data && c.function == wanted.function;
}
bool store(callback_slot& in, std::uint64_t n) {
    return in.change([n](callback& to) { return to = numbered(n), true; });
}

callback_slot interrupted;
std::atomic<int> mixtures{0}, reads{0};

} // namespace

TEST_CASE("A slot without a callback has no function, and one with a callback has the last one") {
    callback_slot place;
    CHECK(place.load().function == nullptr);
    CHECK(store(place, 2));
    CHECK(place.load().function == &some_function);
    CHECK(store(place, 3));
    CHECK(place.load().function == &other_function);
    CHECK(place.load().one_in == 3);
    CHECK(place.change([](callback& to) {
        CHECK(to.one_in == 3);
        to = numbered(4);
        return false;
    }));
    CHECK(place.load().one_in == 3);
}

TEST_CASE("A signal handler that interrupts a replacement reads a whole callback") {
    reads = mixtures = 0;
    store(interrupted, 1);
    {
        const alarms every{[](int) {
            mixtures += !is_whole(interrupted.load());
            reads++;
        }};
        for (std::uint64_t n = 2; reads.load() < 1000; n++) store(interrupted, n);
    }
    CHECK(mixtures.load() == 0);
}

TEST_CASE("A callback with a sampling of n is called for one instance in n, and without sampling for each") {
    callback_slot place;
    int due = 0;
    for (int i = 0; i < 100; i++) due += place.is_due(1);
    CHECK(due == 100);
    for (const std::uint64_t n : {2u, 3u, 7u, 1000u}) {
        callback_slot sampled;
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < 10 * n; i++) {
            const bool is_first = i % n == 0;
            CHECK(sampled.is_due(n) == is_first);
            count += is_first;
        }
        CHECK(count == 10);
    }
}

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

namespace {

using mpit::internal::event_channel;
using mpit::internal::instance_queue;
using mpit::internal::queued_instance;

mpit::core::arena memory;

// What can be pushed: payloads of a size, each filled with one byte.
struct pushed {
    event_channel of;
    char payload[mpit::core::largest_payload];
    explicit pushed(std::uint32_t size) { of.size = size; }
};
bool push(instance_queue& queue, pushed& what, std::uint64_t key) {
    std::memset(what.payload, static_cast<char>(key), what.of.size);
    return queue.push({&what.of, what.payload, static_cast<std::int64_t>(key) * 2, {}}, key,
                      static_cast<std::uint32_t>(key + 1));
}
bool is_whole(queued_instance& q, const pushed& of) {
    if (q.channel != &of.of || q.stamp != static_cast<std::int64_t>(q.key) * 2 || q.generation != q.key + 1)
        return false;
    for (std::uint32_t i = 0; i < of.of.size; i++)
        if (static_cast<char*>(q.payload())[i] != static_cast<char>(q.key)) return false;
    return true;
}

void give_room(instance_queue& to, std::uint64_t cells) {
    void* room = memory.allocate(instance_queue::bytes_for(cells));
    REQUIRE(room != nullptr);
    to.set_memory(room, cells);
}

} // namespace

TEST_CASE("A queue holds as many instances as it has room for, gives them back in their order, and then holds as many "
          "again") {
    for (const std::uint32_t size : {0u, 1u, 16u, 24u, 25u, 88u, 89u, 4096u}) {
        pushed what{size};
        instance_queue queue;
        give_room(queue, 7 * instance_queue::cells_for(size));
        std::uint64_t next = 0, expected = 0;
        int wrong = 0;
        for (int round = 0; round < 50; round++) {
            wrong += !queue.is_empty() || queue.has_first();
            for (int i = 0; i < 7; i++) wrong += !push(queue, what, next++);
            wrong += push(queue, what, 999) || push(queue, what, 999) || queue.is_empty() || !queue.has_first();
            REQUIRE(queue.try_lock());
            for (int i = 0; i < 7 - round % 2; i++) {
                queued_instance* first = queue.front();
                REQUIRE(first != nullptr);
                wrong += first != queue.front() || first->key != expected++ || !is_whole(*first, what);
                queue.pop(*first);
            }
            if (round % 2 == 1) queue.pop(*queue.front()), expected++;
            wrong += queue.front() != nullptr;
            queue.unlock();
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("A full queue accepts nothing, and a queue with a lower limit holds that many instances") {
    pushed what{8};
    instance_queue none;
    CHECK_FALSE(push(none, what, 1));
    CHECK(none.is_empty());
    CHECK_FALSE(none.has_first());
    CHECK(none.front() == nullptr);
    CHECK(none.capacity() == 0);
    CHECK_FALSE(push(none, what, 1));

    instance_queue queue;
    give_room(queue, 10);
    CHECK(queue.capacity() == 10);
    queue.set_limit(3);
    for (std::uint64_t n = 0; n < 3; n++) CHECK(push(queue, what, n));
    CHECK_FALSE(push(queue, what, 3));
    queue.set_limit(4);
    CHECK(push(queue, what, 3));
    CHECK_FALSE(push(queue, what, 4));
}

TEST_CASE("Instances of several sizes wrap around the end of a queue and stay whole and in their order") {
    std::deque<pushed> sizes;
    for (const std::uint32_t size : {0u, 8u, 40u, 100u, 500u, 1000u, 4096u}) sizes.emplace_back(size);
    std::minstd_rand random{3};
    for (const std::uint64_t capacity : {70u, 71u, 130u, 1024u}) {
        instance_queue queue;
        give_room(queue, capacity);
        std::deque<const pushed*> waiting;
        std::uint64_t next = 0, expected = 0;
        int wrong = 0, refused = 0;
        for (int i = 0; i < 20'000; i++) {
            if (random() % 2 == 0) {
                pushed& what = sizes[random() % sizes.size()];
                if (push(queue, what, next)) next++, waiting.push_back(&what);
                else refused++;
                continue;
            }
            REQUIRE(queue.try_lock());
            queued_instance* first = queue.front();
            wrong += (first == nullptr) != waiting.empty();
            if (first != nullptr && !waiting.empty()) {
                wrong += first->key != expected++ || !is_whole(*first, *waiting.front());
                waiting.pop_front();
                queue.pop(*first);
            }
            queue.unlock();
        }
        CHECK(wrong == 0);
        CHECK(refused > 0);
        CHECK(expected > 5000);
    }
}

TEST_CASE("No word of a payload is taken for the begin of an instance when its cells are used again") {
    pushed large{64 * 3 - sizeof(queued_instance)}, small{0};
    instance_queue queue;
    give_room(queue, 4);
    // An instance that begins at position n says n + 1 in the first word of its cell.
    const std::uint64_t begins_at_5 = 6;
    for (std::size_t i = 0; i + sizeof begins_at_5 <= large.of.size; i += sizeof begins_at_5)
        std::memcpy(large.payload + i, &begins_at_5, sizeof begins_at_5);
    REQUIRE(queue.push({&large.of, large.payload, 0, {}}, 0,
                       0)); // in the cells of the positions 0, 1 and 2, and later of 4, 5 and 6
    REQUIRE(queue.try_lock());
    for (int i = 0; i < 3; i++) {
        REQUIRE(queue.front() != nullptr);
        queue.pop(*queue.front());
        CHECK(queue.front() == nullptr);
        REQUIRE(push(queue, small, 0));
    }
    queue.unlock();
}

TEST_CASE("One thread removes instances at a time, and the others are refused") {
    instance_queue queue;
    give_room(queue, 4);
    CHECK(queue.try_lock());
    CHECK_FALSE(queue.try_lock());
    CHECK_FALSE(queue.try_lock());
    queue.unlock();
    CHECK(queue.try_lock());
}
