// The queue in which deferred instances wait: as many fit as there is room for, they come out whole and in the order of
// each author, whoever takes them out, and nobody waits for anybody.

#include "../catch.hpp"

#include <mpit/event/instance_queue.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

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

TEST_CASE("What three threads push while each of them and a fourth take out comes out once, whole, and in the order of "
          "its author") {
    constexpr std::uint64_t each = 20'000;
    static pushed sizes[3] = {pushed{8}, pushed{200}, pushed{1500}};
    static char payloads[3][mpit::core::largest_payload];
    instance_queue queue;
    give_room(queue, 64);
    std::uint64_t expected[3] = {0, 0, 0}; // of those who have opened
    std::atomic<std::uint64_t> lost[3]{}, wrong{0};
    std::atomic<int> at_work{3};
    const auto take_out = [&] {
        while (!queue.is_empty() && queue.try_lock()) {
            while (queued_instance* first = queue.front()) {
                const std::uint64_t author = first->key % 3, number = first->key / 3;
                wrong += first->channel != &sizes[author].of || first->stamp != static_cast<std::int64_t>(number);
                wrong += static_cast<unsigned char*>(first->payload())[sizes[author].of.size - 1] != number % 251;
                wrong += number != expected[author]++;
                queue.pop(*first);
            }
            queue.unlock();
            if (!queue.has_first()) return;
        }
    };
    std::vector<std::thread> authors;
    for (std::uint64_t a = 0; a < 3; a++)
        authors.emplace_back([&, a] {
            for (std::uint64_t n = 0; n < each;) {
                std::memset(payloads[a], static_cast<int>(n % 251), sizes[a].of.size);
                if (queue.push({&sizes[a].of, payloads[a], static_cast<std::int64_t>(n), {}}, n * 3 + a, 0)) n++;
                else lost[a]++;
                take_out();
            }
            at_work--;
        });
    while (at_work.load() != 0) take_out();
    for (std::thread& t : authors) t.join();
    CHECK(wrong == 0);
    CHECK(queue.is_empty());
    for (std::uint64_t a = 0; a < 3; a++) CHECK(expected[a] == each);
}
