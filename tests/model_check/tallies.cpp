// A sum and its count: who finds them to be whole has the sum of just so many changes, in every interleaving.
#include "scenario.hpp"

#include <mpit/variable/tally_cell.hpp>

namespace {

using mpit::internal::shard;
using mpit::internal::tally_cell;
using mpit::internal::tally_values;

struct shard_of_fiber {
    shard first;
    mpit::internal::atomic<std::uint64_t>
        cells[tally_cell::cell_count + 1]; // one announces a presence, which nobody has
};

// Each author adds as often as said, and the last fiber reads. Without shards all authors share the cells.
template <int Authors, int Changes, int Looks, bool HaveLanes> struct adding {
    static constexpr int fibers = Authors + 1;
    tally_cell tally;
    mpit::internal::shard_set set;
    shard_of_fiber shards[static_cast<std::size_t>(Authors)];
    int was_whole = 0;

    adding() {
        model::call(tally, "tally");
        model::keep_shards();
        set.begin(tally_cell::cell_count);
        for (int i = 0; i < Authors; i++) {
            shard& l = shards[i].first;
            l.owner.store(mpit::internal::detail::this_thread_identity());
            model::call(shards[i].cells, "cells");
        }
        for (int i = Authors - 2; i >= 0; i--) shards[i].first.come_before(&shards[i + 1].first);
        set.first.store(&shards[0].first);
        model::keep_for_each_fiber(&mpit::internal::this_thread_shard, sizeof mpit::internal::this_thread_shard);
        if (!HaveLanes) return;
        mpit::internal::shards.store(&set);
        tally.number(0);
    }
    static void check_whole(const tally_values& seen) {
        model::check(!seen.is_whole || seen.sum == 3 * seen.count, "what is whole is of just so many changes");
        model::check(seen.count <= Authors * Changes && seen.sum <= 3 * Authors * Changes, "nothing is counted twice");
    }
    void run(int fiber) {
        if (fiber < Authors) {
            if (HaveLanes) {
                mpit::internal::this_thread_shard.there = &shards[fiber].first;
                mpit::internal::this_thread_shard.cells_end = set.cells_end;
            }
            for (int i = 0; i < Changes; i++) tally.add(3);
            return;
        }
        std::uint32_t attempts_left = Looks;
        const tally_values seen = tally.values(false, attempts_left);
        check_whole(seen);
        was_whole = seen.is_whole;
    }
    int at_end() {
        std::uint32_t none = 0;
        const tally_values all = tally.values(false, none);
        check_whole(all);
        model::check(all.is_whole && all.count == Authors * Changes, "every change is there at the end");
        return was_whole;
    }
};

template <class Scenario> void explore_all(const char* name) {
    for (const auto memory : model::both_memories) {
        const auto all = model::explore<Scenario>(name, {memory});
        CHECK(all.mistake == "");
        CHECK(all.outcomes.count(1) == 1);
    }
}

} // namespace

TEST_CASE("The sum and the count of a shard belong together, or the answer says that they do not") {
    explore_all<adding<1, 2, 0, true>>("one adds, one looks once");
    explore_all<adding<1, 2, 2, true>>("one adds, one looks three times");
}

TEST_CASE("The sums and the counts of two shards belong together") {
    explore_all<adding<2, 1, 0, true>>("two add in shards of their own, one looks");
    if (model::is_long()) explore_all<adding<2, 2, 2, true>>("two add twice in shards of their own, one looks");
}

TEST_CASE("The shared sum and count of threads without shards belong together, or the answer says that they do not") {
    explore_all<adding<2, 1, 0, false>>("two add to one tally, one looks");
    explore_all<adding<2, 2, 1, false>>("two add twice to one tally, one looks twice");
}

TEST_CASE("A tally whose parts have no order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    using one_adds = adding<1, 2, 0, true>;
    CHECK(model::mistake_of_mutant<one_adds>({"tally_cell.hpp", "operator()", operation::load, relaxed}) != "");
    CHECK(model::mistake_of_mutant<one_adds>({"tally_cell.hpp", "change_own", operation::add_as_owner, relaxed}) != "");
}
