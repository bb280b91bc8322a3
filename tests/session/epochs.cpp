// Counting of init and finalize: when the interface is open, which thread level an epoch provides, and who ends it.

#include "catch.hpp"

#include <mpit/session/epochs.hpp>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace {

using mpit::result;
using mpit::thread_level;
using mpit::session::epochs;

thread_level open(epochs& counting, thread_level required) {
    thread_level provided{};
    REQUIRE(counting.initialize(required, provided) == result::success);
    return provided;
}
std::uint32_t close(epochs& counting) {
    std::uint32_t ended = 77;
    REQUIRE(counting.finalize(ended) == result::success);
    return ended;
}

// Counting that has gone on for long: the count stands in the upper half of its word, the epoch in the lowest 30 bits.
void go_on_from(epochs& counting, std::uint64_t count, std::uint64_t epoch) {
    const std::uint64_t word = count << 32 | epoch;
    static_assert(sizeof counting == sizeof word);
    std::memcpy(static_cast<void*>(&counting), &word, sizeof word);
    REQUIRE(counting.is_open() == (count != 0));
    REQUIRE(counting.present() == epoch);
}

} // namespace

TEST_CASE("The interface is open from the first init to the last finalize") {
    epochs counting;
    CHECK_FALSE(counting.is_open());
    open(counting, thread_level::single);
    open(counting, thread_level::single);
    CHECK(counting.is_open());
    CHECK(close(counting) == 0);
    CHECK(counting.is_open());
    CHECK(close(counting) == counting.present());
    CHECK_FALSE(counting.is_open());
}

TEST_CASE("The first init of an epoch decides the thread level that all of it provides") {
    epochs counting;
    CHECK(open(counting, thread_level::funneled) == thread_level::funneled);
    CHECK(open(counting, thread_level::multiple) == thread_level::funneled);
    close(counting);
    CHECK(open(counting, thread_level::single) == thread_level::funneled);
    close(counting);
    close(counting);
    for (const thread_level level : {thread_level::multiple, thread_level::serialized, thread_level::single}) {
        CHECK(open(counting, level) == level);
        close(counting);
    }
}

TEST_CASE("A finalize without an init is refused and changes nothing") {
    epochs counting;
    std::uint32_t ended = 77;
    CHECK(counting.finalize(ended) == result::not_initialized);
    open(counting, thread_level::single);
    close(counting);
    CHECK(counting.finalize(ended) == result::not_initialized);
    CHECK(ended == 77);
    open(counting, thread_level::single);
    CHECK(counting.is_open());
}

TEST_CASE("Each epoch has a number of its own, which is never 0") {
    epochs counting;
    std::set<std::uint32_t> numbers;
    for (int i = 0; i < 1000; i++) {
        open(counting, thread_level::multiple);
        const std::uint32_t present = counting.present();
        open(counting, thread_level::multiple);
        CHECK(counting.present() == present);
        CHECK(present != 0);
        CHECK(numbers.insert(present).second);
        close(counting);
        CHECK(close(counting) == present);
    }
}

TEST_CASE("The numbers of epochs begin again with 1 and not with 0, which would end nothing") {
    epochs counting;
    go_on_from(counting, 0, (1u << 30) - 1);
    CHECK(open(counting, thread_level::serialized) == thread_level::serialized);
    CHECK(counting.present() == 1);
    CHECK(close(counting) == 1);
}

TEST_CASE("A count that cannot grow refuses the next init and stays what it is") {
    epochs counting;
    go_on_from(counting, 0xffffffff, 5);
    thread_level provided = thread_level::multiple;
    CHECK(counting.initialize(thread_level::single, provided) == result::cannot_initialize);
    CHECK(provided == thread_level::multiple);
    CHECK(close(counting) == 0);
    CHECK(open(counting, thread_level::multiple) == thread_level::single);
}

TEST_CASE("Of threads that finalize at once, exactly one ends each epoch") {
    epochs counting;
    std::atomic<int> closed_inside{0}, failed{0};
    std::atomic<std::uint32_t> ends{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 5000; i++) {
                thread_level provided{};
                failed += counting.initialize(thread_level::multiple, provided) != result::success;
                closed_inside += !counting.is_open();
                const std::uint32_t present = counting.present();
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
    CHECK(ends == counting.present());
}
