// Values of several words that are read while they change: a pair that changes at once, a large value, and the callback
// of a level.
#include "scenario.hpp"

#include <mpit/concurrency/atomic_word_pair.hpp>
#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/event/callback_slot.hpp>

namespace {

using mpit::core::atomic_word_pair;
using mpit::core::word_pair;

// The flags are always three times the value.
template <int Fibers> struct pair_changes {
    static constexpr int fibers = Fibers;
    atomic_word_pair pair;

    pair_changes() { model::call(pair, "pair"); }
    static void check_whole(word_pair seen) {
        model::check((seen.flags & atomic_word_pair::user_mask) == seen.value * 3, "a pair is whole");
    }
    void add(std::uint64_t n) {
        word_pair seen = pair.load();
        do check_whole(seen);
        while (!pair.compare_exchange(seen, {seen.value + n, (seen.value + n) * 3}));
    }
    void run(int fiber) {
        if (fiber == 0) {
            add(1);
            pair.store({0, 0});
            add(1);
            return;
        }
        if (fiber == 1) return add(4);
        check_whole(pair.load());
    }
    void always() { check_whole(pair.load()); }
    int at_end() { return static_cast<int>(pair.load().value); }
};
struct pair_reading : pair_changes<2> {
    void run(int fiber) { pair_changes::run(fiber == 1 ? 2 : 0); }
};

// Two changes at least, so that the copy that is being read is written again.
template <int Fibers, int Tries> struct callback_changes {
    static constexpr int fibers = Fibers;
    mpit::internal::callback_slot place;
    int changes[2] = {};

    callback_changes() { model::call(place, "place"); }
    static mpit::internal::callback numbered(std::uint64_t n) {
        return {reinterpret_cast<mpit::internal::tool_function>(n * 16), reinterpret_cast<void*>(n), n};
    }
    static std::uint64_t whole(const mpit::internal::callback& c) {
        const auto function = reinterpret_cast<std::uintptr_t>(c.function),
                   data = reinterpret_cast<std::uintptr_t>(c.user_data);
        model::check(function == data * 16, "the function and its data belong together");
        model::check(data == 0 || c.one_in == data, "the hint belongs to the function");
        return data;
    }
    bool change_to(std::uint64_t n) {
        return place.change([&](mpit::internal::callback& to) {
            whole(to);
            to = numbered(n);
            return true;
        }, Tries);
    }
    void run(int fiber) {
        if (fiber == 0) {
            changes[0] += change_to(1);
            changes[0] += change_to(2);
        } else if (fiber == 1) {
            const std::uint64_t first = whole(place.load());
            model::check(first != 9 || whole(place.load()) != 0, "what was there is not undone");
        } else {
            changes[1] += change_to(9);
        }
    }
    int at_end() {
        model::check(changes[0] + changes[1] > 0, "one of those who change succeeds");
        return static_cast<int>(whole(place.load()));
    }
};
// Nobody else is in the way, so that every change succeeds.
struct one_changes : callback_changes<2, 1> {
    int at_end() {
        model::check(changes[0] == 2, "who changes alone succeeds");
        return callback_changes::at_end();
    }
};
template <int Tries> struct two_change : callback_changes<2, Tries> {
    void run(int fiber) { callback_changes<2, Tries>::run(fiber * 2); }
};

// A value of two words: the second one is three times the first. Three writes, so that a buffer that is being read is
// filled again.
template <int Fibers> struct large_changes {
    static constexpr int fibers = Fibers;
    using large = mpit::core::seqlock_value<16>;
    large value;

    large_changes() { model::call(value, "large value"); }
    void write(std::uint64_t n) {
        large::words next;
        next.values[0] = n;
        next.values[1] = n * 3;
        model::check(value.write(&next), "there is a buffer");
    }
    std::uint64_t read() const {
        large::words seen;
        value.read(&seen);
        model::check(seen.values[1] == seen.values[0] * 3, "a large value is whole");
        return seen.values[0];
    }
    void run(int fiber) {
        if (fiber == 1) {
            const std::uint64_t first = read();
            model::check(Fibers > 2 || read() >= first, "what was read is not undone");
            return;
        }
        if (fiber == 2) return write(9);
        for (std::uint64_t n = 1; n <= (Fibers > 2 ? 2 : 3); n++) write(n);
    }
    int at_end() { return static_cast<int>(read()); }
};
// Two write at once, and each has a buffer of its own.
struct large_writes : large_changes<2> {
    void run(int fiber) {
        write(static_cast<std::uint64_t>(fiber + 1));
        write(static_cast<std::uint64_t>(fiber + 3));
    }
};

using model::explore_all;

} // namespace

TEST_CASE("A pair of words is read whole while others change it") {
    explore_all<pair_reading>("one changes a pair, one reads", 1);
    explore_all<pair_changes<2>>("two change a pair", 2);
    explore_all<pair_changes<3>>("two change a pair, one reads", 2);
}

TEST_CASE("A large value is read whole while others write it") {
    explore_all<large_changes<2>>("one writes a large value, one reads", 1);
    explore_all<large_writes>("two write a large value", 2);
}

TEST_CASE("A callback is read whole while it is replaced twice") {
    explore_all<one_changes>("one changes, one reads", 1);
}

TEST_CASE("Of two threads that change a callback neither undoes half of the other one's change") {
    explore_all<two_change<1>>("two change a callback", 2);
    explore_all<two_change<2>>("two change a callback with patience", 2);
    explore_all<callback_changes<3, 1>>("two change a callback, one reads", 2);
}

TEST_CASE("A large value whose buffer is chosen or filled with a weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed, mpit::core::acquire;
    using read_and_written = large_changes<2>;
    CHECK(model::mistake_of_mutant<read_and_written>({"seqlock_value.hpp", "read", operation::load, relaxed}) != "");
    CHECK(model::mistake_of_mutant<read_and_written>({"seqlock_value.hpp", "operator()", operation::store, relaxed}) !=
          "");
    CHECK(model::mistake_of_mutant<read_and_written>(
              {"seqlock_value.hpp", "select", operation::compare_exchange, acquire}) != "");
}

TEST_CASE("A pair or a callback that is read with a weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    CHECK(model::mistake_of_mutant<pair_reading>({"atomic_word_pair.hpp", "load", operation::load, relaxed}) != "");
    CHECK(model::mistake_of_mutant<one_changes>({"callback_slot.hpp", "load", operation::load, relaxed}) != "");
}
