// The array that only grows: who appends at once goes on in one piece of memory, and a reader finds what is there.
#include "scenario.hpp"

#include <mpit/concurrency/append_array.hpp>

namespace {

// Pieces of 1, 2 and 4 elements. Two append at neighbouring places of the same new piece, and a third one looks.
template <int Fibers> struct appending {
    static constexpr int fibers = Fibers;
    mpit::core::append_array<std::uint64_t, 1> array;
    mpit::core::atomic<std::uint64_t>* places[2] = {};

    appending() {
        model::keep(&mpit::core::allocations_left, sizeof mpit::core::allocations_left);
        model::call(array, "array");
    }
    void run(int fiber) {
        if (fiber < 2) {
            places[fiber] = array.ensure(static_cast<std::uint32_t>(1 + fiber));
            model::check(places[fiber] != nullptr, "there is a place");
            places[fiber]->store(static_cast<std::uint64_t>(10 + fiber));
            model::check(array.at(static_cast<std::uint32_t>(1 + fiber)) == static_cast<std::uint64_t>(10 + fiber),
                         "who has stored an element finds it");
            return;
        }
        const std::uint64_t first = array.find(1), second = array.find(2), again = array.find(1);
        model::check(first == 0 || first == 10, "an element is there or not");
        model::check(second == 0 || second == 11, "the other element is there or not");
        model::check(first == 0 || again == first, "what was there stays");
    }
    int at_end() {
        model::check(array.at(1) == 10 && array.at(2) == 11, "both elements are there");
        model::check(array.ensure(1) == places[0] && array.ensure(2) == places[1], "the places are those of the array");
        model::check(places[1] == places[0] + 1, "both lie in one piece");
        return 0;
    }
};

} // namespace

TEST_CASE("Two threads that append to a new piece of the array at once use the same piece") {
    for (const auto memory : model::explored_memories) {
        const auto all = model::explore<appending<2>>("two append", {memory});
        CHECK(all.mistake == "");
        CHECK(all.interleavings > (memory == model::cxx20 ? 30 : 100)); // of which many are one there
    }
}

TEST_CASE("A reader finds each element whole, or none, while two threads append") {
    model::explore_all<appending<3>>("two append, one looks");
}
