// A sum and its count: who finds them to be whole has the sum of just so many changes, in every interleaving.
#include "scenario.hpp"

#include <mpit/batch/tally_pair.hpp>
#include <mpit/variable/tally_cell.hpp>

namespace {

using mpit::core::shard;
using mpit::internal::tally_cell;
using mpit::internal::tally_values;
using mpit::session::handle_step;
using mpit::session::state_fact;
using mpit::session::tally_pair;

struct shard_of_fiber {
    shard first;
    mpit::core::atomic<std::uint64_t>
        cells[tally_cell::cell_count + 1]; // one announces a presence, which nobody has
};

// Each author adds as often as said, and the last fiber reads. Without shards all authors share the cells.
template <int Authors, int Changes, int Looks, bool HaveLanes> struct adding {
    static constexpr int fibers = Authors + 1;
    tally_cell tally;
    mpit::core::shard_set set;
    shard_of_fiber shards[static_cast<std::size_t>(Authors)];
    int was_whole = 0;

    adding() {
        model::call(tally, "tally");
        model::keep_shards();
        set.begin(tally_cell::cell_count);
        for (int i = 0; i < Authors; i++) {
            shard& l = shards[i].first;
            l.owner.store(mpit::core::detail::this_thread_identity());
            model::call(shards[i].cells, "cells");
        }
        for (int i = Authors - 2; i >= 0; i--) shards[i].first.link_before(&shards[i + 1].first);
        set.first.store(&shards[0].first);
        model::keep_for_each_fiber(&mpit::core::this_thread_shard, sizeof mpit::core::this_thread_shard);
        if (!HaveLanes) return;
        mpit::core::shards.store(&set);
        tally.number(0);
    }
    static void check_whole(const tally_values& seen) {
        model::check(!seen.is_whole || seen.sum == 3 * seen.count, "what is whole is of just so many changes");
        model::check(seen.count <= Authors * Changes && seen.sum <= 3 * Authors * Changes, "nothing is counted twice");
    }
    void run(int fiber) {
        if (fiber < Authors) {
            if (HaveLanes) {
                mpit::core::this_thread_shard.there = &shards[fiber].first;
                mpit::core::this_thread_shard.cells_end = set.cells_end;
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

// One adds to a tally whose handles run, one changes both handles by `Step`, others reset them, and the last fiber
// reads if `Reads`. `Stamps` is false for a mutant.
template <int Changers, bool Reads, handle_step Step = handle_step::reset, bool Stamps = true> struct changing {
    static constexpr int fibers = 1 + Changers + (Reads ? 1 : 0);
    tally_cell tally;
    mpit::core::double_word count, sum;
    bool has_changed[static_cast<std::size_t>(Changers)]{};
    int was_together = 0;

    changing() {
        model::call(tally, "tally");
        model::call(count, "state of the count");
        model::call(sum, "state of the sum");
        model::keep_shards();
        model::keep_for_each_fiber(&mpit::core::this_thread_shard, sizeof mpit::core::this_thread_shard);
        change(handle_step::start);
    }
    bool change(handle_step step) {
        std::uint32_t none = 0;
        const bool is_together = tally_pair{count, sum, tally, false}.change(step, none);
        if (Stamps) return is_together;
        for (mpit::core::double_word* state : {&count, &sum}) state->overwrite({state->load().value, state_fact::running});
        return is_together;
    }
    bool check_read() {
        std::uint32_t none = 0;
        std::uint64_t number = 0, total = 0;
        const bool is_together = tally_pair{count, sum, tally, false}.read(number, total, none);
        model::check(!is_together || total == 3 * number, "what is together is of just so many changes");
        model::check(number <= 1 && total <= 3, "no value is of changes that a tool has not asked for");
        return is_together;
    }
    void run(int fiber) {
        if (fiber == 0) tally.add(3);
        else if (fiber <= Changers) has_changed[fiber - 1] = change(fiber == 1 ? Step : handle_step::reset);
        else was_together = check_read();
    }
    int at_end() {
        bool have_all = true;
        for (const bool each : has_changed) have_all = have_all && each;
        const bool is_together = check_read();
        model::check(!have_all || is_together, "the last of whole changes leaves what is together");
        return was_together;
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

TEST_CASE("A reset of a pair of handles is of one moment for a reader, or the answer says that it is not") {
    explore_all<changing<1, true>>("one adds, one resets a pair, one reads it");
    explore_all<changing<1, true, handle_step::stop>>("one adds, one stops a pair, one reads it");
    for (const auto memory : model::both_memories)
        CHECK(model::explore<changing<2, false>>("one adds, two reset a pair", {memory}).mistake == "");
    if (!model::is_long()) return;
    explore_all<changing<2, true>>("one adds, two reset a pair, one reads it");
    explore_all<changing<2, true, handle_step::stop>>("one adds, one stops a pair, one resets it, one reads it");
}

TEST_CASE("Without stamps, the states of two resets would pass for those of one") {
    const auto all = model::explore<changing<2, false, handle_step::reset, false>>("two resets without stamps", {model::both_memories[0]});
    CHECK(all.mistake != "");
}

TEST_CASE("A tally whose parts have no order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    using one_adds = adding<1, 2, 0, true>;
    CHECK(model::mistake_of_mutant<one_adds>({"tally_cell.hpp", "operator()", operation::load, relaxed}) != "");
    CHECK(model::mistake_of_mutant<one_adds>({"tally_cell.hpp", "change_own", operation::add_as_owner, relaxed}) != "");
}
