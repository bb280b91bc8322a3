// The value that a handle has of one element, at the moments that threads meet only rarely: the level or the count
// moves just between two looks of one operation, or the handle is freed in the middle. Operations that change what they
// show stand in for the other thread.

#include "catch.hpp"

#include <mpit/mpit.hpp>
#include <mpit/session/element_value.hpp>

namespace {

using mpit::core::atomic_word_pair;
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
            .assign_cells = nullptr,
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
        atomic_word_pair state;
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
    atomic_word_pair state;
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
    atomic_word_pair state;
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
