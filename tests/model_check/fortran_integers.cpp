// The INTEGERs of info objects: one that is ended and whose slot is used again at the same moment leads to its own
// object or to none, and several that are given at once are different.
#include "scenario.hpp"

#include <mpit/info/fortran_integers.hpp>

namespace {

using mpit::session::info_integer;

struct integers {
    mpit::session::info_integers all;
    integers() {
        model::keep_allocations();
        model::call(all, "integers");
    }
};

// One ends the INTEGER and takes its slot for the next object, while the others look it up.
template <int Fibers> struct looking : integers {
    static constexpr int fibers = Fibers;
    std::uint32_t first, second = info_integer::none;

    looking() : first{all.give(7)} {}
    void run(int fiber) {
        if (fiber != 0) {
            const std::uint64_t found = all.handle_of(first);
            return model::check(found == 0 || found == 7, "an INTEGER leads to its own object or to none");
        }
        all.end(first);
        second = all.give(8);
        model::check(second != first && all.handle_of(second) == 8, "the next object has another INTEGER");
    }
    int at_end() {
        model::check(all.handle_of(first) == 0, "an ended INTEGER leads nowhere");
        model::check(all.handle_of(second) == 8, "one that was given is kept");
        return 0;
    }
};

struct giving : integers {
    static constexpr int fibers = 2;
    std::uint32_t given[2] = {};

    giving() { all.end(all.give(7)); }
    void run(int fiber) { given[fiber] = all.give(8 + static_cast<std::uint64_t>(fiber)); }
    int at_end() {
        model::check(given[0] != given[1], "two objects have two INTEGERs");
        for (int i = 0; i < 2; i++)
            model::check(all.handle_of(given[i]) == 8 + static_cast<std::uint64_t>(i), "each leads to its object");
        return 0;
    }
};

} // namespace

TEST_CASE("An INTEGER converts to its own object or to none while its slot is reused") {
    model::explore_all<looking<2>>("one looks up");
    model::explore_all<looking<3>>("two look up");
}

TEST_CASE("INTEGERs that are assigned concurrently are different") { model::explore_all<giving>("two are given"); }

TEST_CASE("An INTEGER that is found before its object is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    CHECK(model::mistake_of_mutant<looking<2>>({"fortran_integers.hpp", "handle_of", operation::load, relaxed}) != "");
}
