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
using mpit::session::epoch_counter;

thread_level open(epoch_counter& epochs, thread_level required) {
    thread_level provided{};
    REQUIRE(epochs.initialize(required, provided) == result::success);
    return provided;
}
std::uint32_t close(epoch_counter& epochs) {
    std::uint32_t ended = 77;
    REQUIRE(epochs.finalize(ended) == result::success);
    return ended;
}

// Counting that has gone on for long: the count stands in the upper half of its word, the epoch in the lowest 30 bits.
void go_on_from(epoch_counter& epochs, std::uint64_t count, std::uint64_t epoch) {
    const std::uint64_t word = count << 32 | epoch;
    static_assert(sizeof epochs == sizeof word);
    std::memcpy(static_cast<void*>(&epochs), &word, sizeof word);
    REQUIRE(epochs.is_open() == (count != 0));
    REQUIRE(epochs.current() == epoch);
}

} // namespace

TEST_CASE("The interface is open from the first init to the last finalize") {
    epoch_counter epochs;
    CHECK_FALSE(epochs.is_open());
    open(epochs, thread_level::single);
    open(epochs, thread_level::single);
    CHECK(epochs.is_open());
    CHECK(close(epochs) == 0);
    CHECK(epochs.is_open());
    CHECK(close(epochs) == epochs.current());
    CHECK_FALSE(epochs.is_open());
}

TEST_CASE("The first init of an epoch decides the thread level that all of it provides") {
    epoch_counter epochs;
    CHECK(open(epochs, thread_level::funneled) == thread_level::funneled);
    CHECK(open(epochs, thread_level::multiple) == thread_level::funneled);
    close(epochs);
    CHECK(open(epochs, thread_level::single) == thread_level::funneled);
    close(epochs);
    close(epochs);
    for (const thread_level level : {thread_level::multiple, thread_level::serialized, thread_level::single}) {
        CHECK(open(epochs, level) == level);
        close(epochs);
    }
}

TEST_CASE("A finalize without an init is refused and changes nothing") {
    epoch_counter epochs;
    std::uint32_t ended = 77;
    CHECK(epochs.finalize(ended) == result::not_initialized);
    open(epochs, thread_level::single);
    close(epochs);
    CHECK(epochs.finalize(ended) == result::not_initialized);
    CHECK(ended == 77);
    open(epochs, thread_level::single);
    CHECK(epochs.is_open());
}

TEST_CASE("Each epoch has a number of its own, which is never 0") {
    epoch_counter epochs;
    std::set<std::uint32_t> numbers;
    for (int i = 0; i < 1000; i++) {
        open(epochs, thread_level::multiple);
        const std::uint32_t present = epochs.current();
        open(epochs, thread_level::multiple);
        CHECK(epochs.current() == present);
        CHECK(present != 0);
        CHECK(numbers.insert(present).second);
        close(epochs);
        CHECK(close(epochs) == present);
    }
}

TEST_CASE("The numbers of epochs begin again with 1 and not with 0, which would end nothing") {
    epoch_counter epochs;
    go_on_from(epochs, 0, (1u << 30) - 1);
    CHECK(open(epochs, thread_level::serialized) == thread_level::serialized);
    CHECK(epochs.current() == 1);
    CHECK(close(epochs) == 1);
}

TEST_CASE("A count that cannot grow refuses the next init and stays what it is") {
    epoch_counter epochs;
    go_on_from(epochs, 0xffffffff, 5);
    thread_level provided = thread_level::multiple;
    CHECK(epochs.initialize(thread_level::single, provided) == result::cannot_initialize);
    CHECK(provided == thread_level::multiple);
    CHECK(close(epochs) == 0);
    CHECK(open(epochs, thread_level::multiple) == thread_level::single);
}

TEST_CASE("Of threads that finalize at once, exactly one ends each epoch") {
    epoch_counter epochs;
    std::atomic<int> closed_inside{0}, failed{0};
    std::atomic<std::uint32_t> ends{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 5000; i++) {
                thread_level provided{};
                failed += epochs.initialize(thread_level::multiple, provided) != result::success;
                closed_inside += !epochs.is_open();
                const std::uint32_t present = epochs.current();
                std::uint32_t ended = 77;
                failed += epochs.finalize(ended) != result::success;
                failed += ended != 0 && ended != present;
                ends += ended != 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(failed == 0);
    CHECK(closed_inside == 0);
    CHECK_FALSE(epochs.is_open());
    CHECK(ends == epochs.current());
}
