// Words in which much meets: the counting of init and finalize, and the value that a handle has of one element, at
// the moments that threads meet only rarely: the level or the count moves just between two looks of one operation, or
// the handle is freed in the middle. Operations that change what they show stand in for the other thread.
#include "../catch.hpp"

#include <mpit/mpit.hpp>
#include <mpit/session/element_value.hpp>
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
        CHECK(close(counting) == 0);
        CHECK(counting.is_open());
        CHECK(close(counting) == present);
        CHECK_FALSE(counting.is_open());
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

namespace {

using mpit::core::double_word;
using mpit::descriptor::behaviour;
using mpit::session::element_value;

// A level whose changes nobody merges, as when the one who changes it has looked at a mark before that was running.
struct unwatched_level : mpit::internal::watched_level {
    unwatched_level() : watched_level{0} {}
    void change_unseen(std::uint64_t to) { word_.store(to); }
};
unwatched_level watched;
int looks = 0, change_at_look = 0;
std::uint64_t events = 0;

constexpr mpit::descriptor::performance_operations operations_of(behaviour of) {
    return {.value_behaviour = of,
            .real = false,
            .words_per_unit = 0,
            .locate = nullptr,
            .sample = [](mpit::descriptor::performance&, void*, std::uint32_t) { return ++events; },
            .level = [](mpit::descriptor::performance&, void*, std::uint32_t) -> void* {
        if (++looks == change_at_look) watched.change_unseen(10);
        return &watched;
    },
            .number = nullptr,
            .key = nullptr,
            .read = nullptr};
}
constexpr auto marking = operations_of(behaviour::marking_high), counting = operations_of(behaviour::accumulating);

struct tree : mpit::category<"element_values", "What the descriptors below belong to"> {};
tree members;
struct plain_variable : mpit::descriptor::performance {
    plain_variable(mpit::performance_class given, const char* called,
                   const mpit::descriptor::performance_operations& what)
        : performance{given, &members, called, ""} {
        type = mpit::datatype::unsigned_long_type;
        operations = &what;
    }
};
plain_variable mark{mpit::performance_class::high_watermark, "mark", marking};
plain_variable counter{mpit::performance_class::counter, "counter", counting};

std::uint64_t value_of(element_value& on) {
    std::uint64_t value = 77;
    REQUIRE(on.read(value));
    return value;
}

} // namespace

TEST_CASE("A watermark does not miss a level that changes between its read and its start or reset", "[HNDL-20]") {
    for (int operation = 0; operation < 4; operation++) {
        double_word state;
        element_value on{mark, nullptr, 0, 5, state};
        watched.change_unseen(0);
        change_at_look = 0;
        on.begin();
        std::uint64_t before = 0;
        if (operation > 1) REQUIRE(on.start());
        looks = 0;
        change_at_look = 2;
        if (operation == 0) CHECK(on.start());
        if (operation == 1) {
            CHECK(on.reset());
            change_at_look = 0;
            CHECK(on.start());
        }
        if (operation == 2) CHECK(on.reset());
        if (operation == 3) CHECK(on.read_and_reset(before));
        CHECK(before == 0);
        CHECK(value_of(on) == 10);
    }
}

TEST_CASE("A readreset returns the value and resets it at one moment", "[HNDL-20]") {
    double_word state;
    element_value on{counter, nullptr, 0, 5, state};
    events = 0;
    on.begin();
    REQUIRE(on.start());
    const std::uint64_t counted_before = events;
    std::uint64_t sum = 0, part = 0;
    for (int i = 0; i < 100; i++) {
        REQUIRE(on.read_and_reset(part));
        sum += part;
    }
    CHECK(sum == events - counted_before);
}

TEST_CASE("A handle that was freed while an operation worked on it changes nothing of the next one") {
    double_word state;
    element_value old{counter, nullptr, 0, 5, state}, next{counter, nullptr, 0, 6, state};
    old.begin();
    CHECK(old.start());
    next.begin();
    CHECK(next.write(3));
    std::uint64_t value = 77;
    CHECK_FALSE(old.start());
    CHECK_FALSE(old.stop());
    CHECK_FALSE(old.reset());
    CHECK_FALSE(old.write(9));
    CHECK_FALSE(old.read(value));
    CHECK_FALSE(old.read_and_reset(value));
    CHECK(value_of(next) == 3);
}
