// What handles make of values that change: marks of a level, and counts of which each handle has its own.
#include "described.hpp"
#include "scenario.hpp"

#include <mpit/session/element_value.hpp>
#include <mpit/variable/histogram.hpp>

#include <new>

namespace {

using mpit::core::atomic_word_pair;
using mpit::descriptor::behaviour;
using mpit::session::element_value;

struct described : mpit::descriptor::performance {
    explicit described(mpit::descriptor::category& tree)
        : performance{mpit::performance_class::generic, &tree, "variable", ""} {
        type = mpit::datatype::unsigned_long_type;
    }
};
template <class Scenario> constexpr mpit::descriptor::performance_operations operations_of(behaviour of) {
    auto made = model::operations_of(of);
    made.sample = [](mpit::descriptor::performance&, void* scenario, std::uint32_t) {
        return static_cast<Scenario*>(scenario)->sample();
    };
    made.level = [](mpit::descriptor::performance&, void* scenario, std::uint32_t) -> void* {
        return &static_cast<Scenario*>(scenario)->level;
    };
    return made;
}

// A level that fibers change, and the mark of a handle on it.
struct marked {
    model::root tree;
    described variable{tree};
    mpit::level_cell<unsigned long> level;
    mpit::internal::mark* taken[2] = {};
    unsigned long expected = 0; // the highest level after a start that had returned before the change began
    bool is_started = false;

    static constexpr std::uint64_t owner = 1;
    std::uint64_t sample() { return 0; }
    marked() {
        static constexpr auto operations = operations_of<marked>(behaviour::marking_high);
        variable.operations = &operations;
        model::keep(&mpit::internal::mark_memory, sizeof mpit::internal::mark_memory);
        model::keep_allocations();
        model::observe(expected);
        model::observe(is_started);
        model::call(level, "level");
        new (&mpit::internal::mark_memory) mpit::core::arena;
    }
    void take_and_start() {
        take(0);
        on(0).begin();
        on(0).start();
    }
    element_value on(int at) { return {variable, this, 0, owner, taken[at]->state}; }
    void take(int at) {
        taken[at] = level.attach(true, static_cast<std::uint64_t>(at + 1));
        model::check(taken[at] != nullptr, "there is a mark");
    }
    void change(int n) {
        const bool was_started = is_started;
        level += n;
        const unsigned long now = level.get();
        if (was_started && now > expected) expected = now;
    }
    void check_mark(unsigned long most) {
        std::uint64_t value = 0;
        model::check(on(0).read(value), "the handle is valid");
        model::check(value >= expected && value >= level.get(), "the mark is above all levels since its start");
        model::check(value <= most, "the mark is a level that there was");
    }
    int checked_mark(unsigned long most) {
        check_mark(most);
        std::uint64_t value = 0;
        on(0).read(value);
        return static_cast<int>(value);
    }
    // Each of so many marks starts now and follows the level.
    void check_following(int marks, std::uint64_t owner_of_all) {
        for (int i = 0; i < marks; i++) {
            element_value mine{variable, this, 0, owner_of_all, taken[2 - marks + i]->state};
            mine.begin();
            mine.start();
        }
        level = 7;
        for (int i = 0; i < marks; i++) {
            std::uint64_t value = 0;
            element_value{variable, this, 0, owner_of_all, taken[2 - marks + i]->state}.read(value);
            model::check(value == 7, "every mark follows the level");
        }
    }
};

template <int Fibers> struct starting : marked {
    static constexpr int fibers = Fibers;
    void run(int fiber) {
        if (fiber == 1) {
            take(0);
            element_value mine = on(0);
            mine.begin();
            model::check(mine.start(), "the handle starts");
            is_started = true;
            return;
        }
        change(1);
        if (Fibers == 2) change(1);
    }
    int at_end() { return checked_mark(2); }
};
// A mark that runs is left and taken again by another handle, which starts it.
struct starting_again : marked {
    static constexpr int fibers = 2;
    starting_again() { take_and_start(); }
    void run(int fiber) {
        if (fiber == 0) {
            change(1);
            return change(1);
        }
        level.detach(*taken[0], 1);
        mpit::internal::mark* const left = taken[0];
        taken[0] = level.attach(true, 2);
        model::check(taken[0] == left, "a mark that was left is used again");
        element_value mine = on(0);
        mine.begin();
        model::check(mine.start(), "the handle starts");
        is_started = true;
    }
    int at_end() {
        check_mark(2);
        return 0;
    }
};
// Is reset while the level rises and falls.
template <int First, int Second> struct resetting : marked {
    static constexpr int fibers = 2;
    resetting() {
        level = 3;
        take_and_start();
        level = 1;
    }
    void run(int fiber) {
        if (fiber == 1) {
            model::check(on(0).reset(), "the handle is reset");
            is_started = true;
            return;
        }
        change(First);
        change(Second);
    }
    int at_end() { return checked_mark(2); }
};
// Two change the level while a mark runs.
struct raising : marked {
    static constexpr int fibers = 2;
    raising() {
        take_and_start();
        is_started = true;
    }
    void run(int fiber) {
        change(fiber == 0 ? 2 : 1);
        if (fiber == 0) change(-2);
    }
    int at_end() { return checked_mark(3); }
};
// Marks are taken and left at once; each belongs to one handle, and all of them follow the level.
template <int Fibers, bool HasOne> struct taking_marks : marked {
    static constexpr int fibers = Fibers;
    taking_marks() {
        if (!HasOne) return;
        take(0);
        level.detach(*taken[0], 1);
        taken[0] = nullptr;
    }
    void run(int fiber) {
        if (fiber == 2) return change(1);
        const std::uint64_t mine = static_cast<std::uint64_t>(fiber + 1);
        take(fiber);
        model::check(taken[fiber]->owner.load() == mine, "a mark belongs to who has taken it");
        if (fiber == 0) {
            level.detach(*taken[0], mine);
            taken[0] = level.attach(true, mine);
        }
        model::check(taken[fiber]->owner.load() == mine, "a mark belongs to who has taken it");
    }
    int at_end() {
        model::check(taken[0] != taken[1], "two handles have two marks");
        check_following(2, owner);
        return 0;
    }
};

// A new level takes the mark from its handle, which leaves it at the same time, and another handle gets it.
struct leaving_late : marked {
    static constexpr int fibers = 2;
    leaving_late() { take(0); }
    void run(int fiber) {
        if (fiber == 0) return level.detach(*taken[0], 1);
        level.reset(0);
        take(1);
    }
    int at_end() {
        model::check(taken[1]->owner.load() == 2, "the mark stays with its new handle");
        check_following(1, 2);
        return 0;
    }
};

// A count, and the states of handles on it.
struct counted {
    model::root tree;
    described variable{tree};
    mpit::core::atomic<std::uint64_t> count;
    int level = 0;
    atomic_word_pair state;

    std::uint64_t sample() { return count.load(); }
    counted() {
        static constexpr auto operations = operations_of<counted>(behaviour::accumulating);
        variable.operations = &operations;
        model::call(count, "count");
        model::call(state, "state");
        on().begin();
    }
    element_value on(std::uint64_t stamp = 1) { return {variable, this, 0, stamp, state}; }
};
// What two read and reset at once is together all that was counted.
struct reading_and_resetting : counted {
    static constexpr int fibers = 3;
    std::uint64_t sums[2] = {};
    reading_and_resetting() { on().start(); }
    void run(int fiber) {
        if (fiber == 2) {
            count.fetch_add(1);
            count.fetch_add(2);
            return;
        }
        model::check(on().read_and_reset(sums[fiber]), "the handle is valid");
    }
    int at_end() {
        std::uint64_t rest = 0;
        on().read(rest);
        model::check(sums[0] + sums[1] + rest == 3, "every count is read once");
        return 0;
    }
};
// One stops and starts while another one reads.
struct stopping : counted {
    static constexpr int fibers = 3;
    stopping() { on().start(); }
    void run(int fiber) {
        if (fiber == 0) {
            count.fetch_add(1);
            count.fetch_add(1);
        } else if (fiber == 1) {
            on().stop();
            on().start();
        } else {
            std::uint64_t first = 0, second = 0;
            on().read(first);
            on().read(second);
            model::check(first <= 2 && second <= 2, "nothing is counted that did not happen");
        }
    }
    int at_end() {
        std::uint64_t value = 0;
        on().read(value);
        model::check(value <= 2, "nothing is counted that did not happen");
        return static_cast<int>(value);
    }
};
// A handle is used while it is freed and its state belongs to the next one.
struct ending : counted {
    static constexpr int fibers = 2;
    void run(int fiber) {
        if (fiber == 1) return on(2).begin();
        on().start();
        count.fetch_add(1);
        on().reset();
    }
    int at_end() {
        std::uint64_t value = 77;
        model::check(on(2).read(value), "the next handle is valid");
        model::check(value == 0 && (state.flags() & mpit::session::state_fact::running) == 0,
                     "the next handle has not started");
        return 0;
    }
};

// A histogram, and two tools that begin and end: with handles on a watermark, for which the histogram must leave its
// fast path, or of a histogram that records only while a tool watches it.
template <bool HaveMarks> struct watching : mpit::histogram_cell<unsigned long, mpit::buckets{.highest = 2}> {
    static constexpr int fibers = 2;
    watching() {
        if (!HaveMarks) record_only_when_watched();
        cells_.store(128);
        change_users(0, false);
        model::call(static_cast<mpit::internal::histogram_base&>(*this), "histogram");
    }
    bool is_fast() const { return offset_.load() == 128; }
    void run(int) {
        change_users(1, HaveMarks);
        model::check(!is_idle(), "the histogram records while a tool watches it");
        if (HaveMarks) model::check(!is_fast(), "the histogram tells the watermark each value");
        change_users(-1, HaveMarks);
    }
    int at_end() {
        model::check(is_idle() != HaveMarks, "only a histogram for tools ends with them");
        model::check(is_fast() == HaveMarks, "the fast path is taken again");
        return 0;
    }
};

template <class Scenario> void explore_all(const char* name, std::size_t outcomes, bool splits = false) {
    model::explore_all<Scenario>(name, {.splits_plain_accesses = splits, .kept_bytes_of_pages = 512}, outcomes);
}

} // namespace

TEST_CASE("A watermark that starts while its level changes misses no change after its start") {
    explore_all<starting<2>>("one changes a level, one starts", 1);
    explore_all<starting<3>>("two change a level, one starts", 1);
    explore_all<starting_again>("one changes a level, one starts a mark again", 1);
}

TEST_CASE("A watermark that is reset while its level changes has the highest level since") {
    explore_all<resetting<1, -1>>("one raises a level and lowers it, one resets", 2);
    explore_all<resetting<-1, 2>>("one lowers a level and raises it, one resets", 1);
}

TEST_CASE("A watermark has the highest level of two threads in every order") {
    explore_all<raising>("two change a level", 2);
}

TEST_CASE("A watermark belongs to one handle at a time, and follows the level") {
    explore_all<taking_marks<2, true>>("two take marks", 1);
    explore_all<taking_marks<2, false>>("two take marks of a level that has none", 1);
    explore_all<taking_marks<2, false>>("two take marks, plain accesses apart", 1, true);
    explore_all<leaving_late>("one leaves a mark late", 1);
    if (model::is_long()) explore_all<taking_marks<3, false>>("two take marks, one changes the level", 1);
}

TEST_CASE("A histogram records while a tool watches it, whoever else begins and ends") {
    explore_all<watching<false>>("two watch a histogram and end", 1);
    explore_all<watching<true>>("two watch the largest value and end", 1);
}

TEST_CASE("Two reads with reset at once return together all that was counted") {
    explore_all<reading_and_resetting>("two read and reset, one counts", 1);
}

TEST_CASE("A value is what was counted while its handle is stopped and started") {
    explore_all<stopping>("one counts, one stops and starts, one reads", 3);
}

TEST_CASE("The use of a handle that is being freed changes nothing of the next one") {
    explore_all<ending>("one uses a handle, one frees it", 1);
}

TEST_CASE("A level whose change may pass its read of the marks, or a start that may pass its read of the level, is a "
          "mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::acquire;
    const auto mistake_of = [](const char* file, const char* function) {
        return model::mistake_of_mutant<starting<2>>({file, function, operation::load, acquire});
    };
    CHECK(mistake_of("atomic_word_pair.hpp", "flags") != "");
    CHECK(mistake_of("watched_level.hpp", "merge_change") != "");
    CHECK(mistake_of("watched_level.hpp", "word") != "");
}
