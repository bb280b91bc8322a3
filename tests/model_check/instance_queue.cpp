// The queue of instances: bounded, nothing lost or doubled, in the order of each author, with one who takes out at a
// time.
#include "scenario.hpp"

#include <mpit/event/instance_queue.hpp>

namespace {

using mpit::internal::event_channel;
using mpit::internal::instance_queue;
using mpit::internal::queued_instance;

// Payloads of one cell and of two.
struct queue_of {
    alignas(64) char room[instance_queue::bytes_for(6)] = {};
    instance_queue queue;
    event_channel small, large;
    char payload[32] = {};
    std::uint64_t come[8] = {}; // in the order in which they came out
    int come_count = 0;
    int takers = 0;
    bool pushed[8] = {};

    queue_of(std::uint64_t capacity, std::uint64_t moved) {
        model::keep_shards();
        small.size = 8;
        large.size = 32;
        queue.set_memory(room, capacity);
        for (std::uint64_t i = 0; i < moved; i++) {
            queue.push({&small, payload, 0, {}}, 0, 0);
            queue.try_lock();
            queue.pop(*queue.front());
            queue.unlock();
        }
        model::call(queue, "queue");
    }
    void push(std::uint64_t n, const event_channel& of) {
        char content[32] = {};
        content[0] = content[of.size - 1] = static_cast<char>(n);
        pushed[n] = queue.push({&of, content, static_cast<std::int64_t>(n), {}}, n, 0);
    }
    void take_first(queued_instance& first) {
        const auto n = first.key;
        const auto* content = static_cast<const char*>(first.payload());
        model::check(first.stamp == static_cast<std::int64_t>(n), "an instance is whole");
        model::check(content[0] == static_cast<char>(n) && content[first.channel->size - 1] == content[0],
                     "a payload is whole");
        for (int i = 0; i < come_count; i++) model::check(come[i] != n, "an instance comes out once");
        come[come_count++] = n;
    }
    // As an ordered source delivers.
    struct receiver {
        queue_of& of;
        static bool may_deliver() { return true; }
        void deliver(queued_instance& first) const {
            model::check(of.takers++ == 0, "one takes out at a time");
            of.take_first(first);
            of.takers--;
        }
        static void drop(queued_instance&) { model::check(false, "so few instances are not dropped"); }
    };
    void take_out() { queue.take_all(receiver{*this}); }
    void check_all_came() {
        int expected = 0;
        for (std::uint64_t n = 0; n < 8; n++) expected += pushed[n];
        model::check(come_count == expected, "what was pushed has come out");
        model::check(queue.is_empty(), "nothing is left");
    }
    int position(std::uint64_t n) const {
        for (int i = 0; i < come_count; i++)
            if (come[i] == n) return i;
        return -1;
    }
};

// Everybody pushes and then delivers what is there: nothing stays behind, whoever was in whose way.
template <int Fibers, std::uint64_t Capacity, std::uint64_t Moved, bool First, bool Second>
struct delivering : queue_of {
    static constexpr int fibers = Fibers;
    delivering() : queue_of{Capacity, Moved} {}
    void run(int fiber) {
        const bool is_large = fiber == 0 ? First : Second;
        push(static_cast<std::uint64_t>(fiber + 1), is_large ? large : small);
        take_out();
    }
    int at_end() {
        check_all_came();
        return position(1) * 64 + position(2) * 8 + position(3) + 73;
    }
};

// Two push and a third one takes out what it finds.
template <std::uint64_t Capacity, std::uint64_t Moved> struct taking : queue_of {
    static constexpr int fibers = 3;
    taking() : queue_of{Capacity, Moved} {}
    void run(int fiber) {
        if (fiber == 2) return take_out();
        if (fiber == 0) {
            push(1, large);
            push(2, small);
        } else {
            push(3, small);
        }
    }
    int at_end() {
        take_out();
        check_all_came();
        model::check(!pushed[1] || !pushed[2] || position(1) < position(2), "the order of an author is kept");
        if (Capacity >= 6) model::check(pushed[1] && pushed[2] && pushed[3], "what has room is taken");
        return pushed[1] + pushed[2] * 2 + pushed[3] * 4;
    }
};

// A queue that is full but for one cell, which two want while a third one makes room.
struct full : queue_of {
    static constexpr int fibers = 3;
    full() : queue_of{3, 1} {
        push(1, small);
        push(2, small);
    }
    void run(int fiber) {
        if (fiber == 2) return take_out();
        push(static_cast<std::uint64_t>(3 + fiber), small);
    }
    int at_end() {
        take_out();
        check_all_came();
        model::check(pushed[3] || pushed[4], "one of those who push has had room");
        return pushed[3] + pushed[4] * 2;
    }
};

// Where the end of the queue has to be skipped, the skipped cells take room, too.
struct nearly_full : queue_of {
    static constexpr int fibers = 3;
    nearly_full() : queue_of{4, 1} {
        push(1, small);
        push(2, small);
    }
    void run(int fiber) {
        if (fiber == 2) return take_out();
        push(static_cast<std::uint64_t>(3 + fiber), fiber == 0 ? large : small);
    }
    int at_end() {
        take_out();
        check_all_came();
        return pushed[3] + pushed[4] * 2;
    }
};

// One pushes and takes out in turn, so that there is room for another one's at every moment.
struct never_full : queue_of {
    static constexpr int fibers = 2;
    never_full() : queue_of{2, 0} {}
    void run(int fiber) {
        if (fiber == 1) {
            push(3, small);
            model::check(pushed[3], "what has room is taken");
            return;
        }
        for (const std::uint64_t n : {1U, 2U, 4U, 5U}) {
            push(n, small);
            take_out();
        }
    }
    int at_end() {
        take_out();
        check_all_came();
        return pushed[1] + pushed[2] * 2 + pushed[4] * 4 + pushed[5] * 8;
    }
};

// As a subscription does where the oldest one is to be lost.
struct discarding : queue_of {
    static constexpr int fibers = 2;
    int discarded = 0;
    discarding() : queue_of{2, 1} {
        push(1, small);
        push(2, small);
    }
    void run(int fiber) {
        if (fiber == 1) return take_out();
        while (!pushed[3]) {
            push(3, small);
            if (pushed[3] || !queue.try_lock()) return;
            model::check(takers++ == 0, "one takes out at a time");
            if (queued_instance* first = queue.front()) {
                take_first(*first);
                queue.pop(*first);
            }
            takers--;
            queue.unlock();
        }
    }
    int at_end() {
        take_out();
        check_all_came();
        return pushed[3];
    }
};

using model::explore_all;

} // namespace

TEST_CASE("Instances that two threads push and deliver at once are delivered once, and none is left") {
    explore_all<delivering<2, 6, 0, false, false>>("two push and deliver", 2);
    explore_all<delivering<2, 6, 5, true, false>>("two push and deliver around the end", 2);
    explore_all<delivering<2, 6, 5, true, true>>("two push and deliver large ones around the end", 2);
    explore_all<delivering<2, 6, 5, true, false>>("two push and deliver around the end, plain accesses apart",
                                                  {.splits_plain_accesses = true}, 2);
}

TEST_CASE("Instances that three threads push and deliver at once are delivered once, and none is left") {
    if (!model::explores(model::cxx20) && !model::is_long()) return;
    explore_all<delivering<3, 6, 5, true, false>>("three push and deliver around the end", model::bounded(2), 6);
}

TEST_CASE("Two push and one takes out around the end of the queue, in the order of each author") {
    explore_all<taking<6, 5>>("two push, one takes out", model::bounded(2), 1);
    explore_all<taking<4, 3>>("two push, one takes out, with little room", model::bounded(2), 3);
}

TEST_CASE("A full queue refuses, and never exceeds its capacity") {
    explore_all<full>("a full queue", model::bounded(2), 3);
    explore_all<nearly_full>("a nearly full queue around its end", model::bounded(2), 3);
    explore_all<never_full>("a queue that is never full", 7);
    explore_all<discarding>("a full queue that loses the oldest one", 2);
}

TEST_CASE("A queue with one weaker order leaves an instance behind or delivers half of one") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::release;
    const auto mistake_of = [](const char* file, const char* function, operation what, int to) {
        return model::mistake_of_mutant<delivering<2, 6, 5, true, false>>({file, function, what, to});
    };
    CHECK(mistake_of("biased_lock.hpp", "try_lock_unbiased", operation::load, mpit::core::acquire) != "");
    CHECK(mistake_of("biased_lock.hpp", "unlock", operation::store, release) != "");
    CHECK(mistake_of("instance_queue.hpp", "publish", operation::store, release) != "");
    CHECK(mistake_of("instance_queue.hpp", "has_first", operation::load, mpit::core::acquire) != "");
    CHECK(model::mistake_of_mutant<never_full>({"instance_queue.hpp", "pop", operation::store, mpit::core::relaxed}) !=
          "");
}
