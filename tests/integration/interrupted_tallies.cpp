// A change of a tally is stopped before each of its operations. Who reads then, another thread or a signal handler of the
// same one, waits for nobody, and is told where the sum is not that of the count.
#include "tallies.hpp"

#include <atomic>
#include <functional>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace stopping {

std::function<void()> at_stop;
void stop_here() noexcept { at_stop(); }

} // namespace stopping

namespace {

using mpit::performance_class;
using mpit::result;
using sample = tally_sample;

// Each value alone is that of so many changes, or of one more.
bool is_near(const sample& now, unsigned long messages, unsigned long uses) {
    return now.messages - messages <= 1 && now.bytes - 3 * messages <= 3 && now.uses - uses <= 1 &&
           now.used >= 0.5 * static_cast<double>(uses) && now.used <= 0.5 * static_cast<double>(uses + 1);
}

// Stops this thread before the k-th operation of what it does, and calls `look` there. Returns false if there are fewer.
template <class Doing, class Look> bool is_stopped_before(long k, const Doing& doing, const Look& look) {
    bool has_stopped = false;
    stopping::at_stop = [&] {
        has_stopped = true;
        look();
    };
    stopping::steps_left = k;
    doing();
    stopping::steps_left = 0;
    return has_stopped;
}
template <class Look> bool is_stopped_before(long k, const Look& look) {
    return is_stopped_before(k, change_both, look);
}

// A thread that has changed both, and stands still before the k-th operation of doing it again, or has ended before.
class thread_in_a_change {
public:
    explicit thread_in_a_change(long k) {
        thread_ = std::thread{[this, k] {
            change_both(); // a thread finds its cells
            const bool has_stopped = is_stopped_before(k, [this] {
                state_ = stands_still;
                while (!may_go_on_) sched_yield();
            });
            if (!has_stopped) state_ = ended;
        }};
        while (state_ == begun) sched_yield();
    }
    ~thread_in_a_change() { go_on(); }
    thread_in_a_change(const thread_in_a_change&) = delete;
    bool has_stopped() const { return state_ == stands_still; }
    void go_on() {
        may_go_on_ = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    enum { begun, stands_still, ended };
    std::atomic<int> state_{begun};
    std::atomic<bool> may_go_on_{false};
    std::thread thread_;
};

} // namespace

TEST_CASE("A signal handler in the middle of a change reads both values, and whether they belong together") {
    change_both();
    tally_batch b;
    unsigned long changes = 0;
    int apart = 0;
    long k = 1;
    for (;; k++) {
        sample now{};
        result answer{};
        if (!is_stopped_before(k, [&] { answer = b.read(now); })) break;
        INFO("before operation " << k);
        CHECK((answer == result::success || answer == result::not_together));
        CHECK(is_near(now, changes, changes));
        if (answer == result::success) CHECK(belong_together(now));
        else apart++;
        changes++;
        CHECK(b.read(now) == result::success);
        CHECK(now.messages == changes);
        CHECK(now.uses == changes);
        CHECK(belong_together(now));
    }
    CHECK(apart >= 4);
    CHECK(k > 8);
}

TEST_CASE("A thread that is stopped in the middle of a change delays no other thread") {
    tally_batch b;
    unsigned long changes = 0;
    int apart = 0;
    for (long k = 1;; k++) {
        thread_in_a_change other{k};
        sample now{};
        const result answer = b.read(now);
        INFO("before operation " << k);
        if (other.has_stopped()) {
            CHECK((answer == result::success || answer == result::not_together));
            CHECK(is_near(now, changes + 1, changes + 1));
            if (answer == result::success) CHECK(belong_together(now));
            else apart++;
        }
        other.go_on();
        changes += 2;
        CHECK(b.read(now) == result::success);
        CHECK(now.messages == changes);
        CHECK(belong_together(now));
        if (!other.has_stopped()) break;
    }
    CHECK(apart >= 4);
}

TEST_CASE("A tally that was started in the middle of a change is not_together until it is reset") {
    tally_batch b;
    int apart = 0;
    for (long k = 1;; k++) {
        result reset{};
        if (!is_stopped_before(k, [&] { reset = b.reset(); })) break;
        INFO("before operation " << k);
        sample now{};
        change_both();
        CHECK(b.read(now) == reset);
        if (reset == result::success) CHECK(belong_together(now));
        else apart++;
        CHECK(b.reset() == result::success);
        change_both();
        CHECK(b.read(now) == result::success);
        CHECK(now.messages == 1);
        CHECK(belong_together(now));
    }
    CHECK(apart >= 4);
}

TEST_CASE("A signal handler resets, stops and reads a batch in the middle of a reset, and gets exact answers") {
    tally_batch b;
    for (const bool handler_stops : {false, true}) {
        for (long k = 1;; k++) {
            sample now{};
            result inside{}, outside{}, read_inside{};
            const bool has_stopped = is_stopped_before(
                k, [&] { outside = b.reset(); },
                [&] {
                    change_both();
                    inside = handler_stops ? b.stop() : b.reset();
                    change_both();
                    read_inside = b.read(now);
                    if (read_inside == result::success) CHECK(belong_together(now));
                });
            INFO("before operation " << k);
            change_both();
            const result answer = b.read(now);
            CHECK(answer == result::success);
            CHECK(belong_together(now));
            CHECK(b.reset() == result::success);
            CHECK(b.start() == result::success);
            change_both();
            CHECK(b.read(now) == result::success);
            CHECK(belong_together(now));
            CHECK(now.messages == 1);
            if (!has_stopped) break;
        }
    }
}

TEST_CASE("Stopped values that belong together do so also in the middle of a change") {
    tally_batch b;
    change_both();
    REQUIRE(b.stop() == result::success);
    for (long k = 1;; k++) {
        sample now{};
        result answer{};
        if (!is_stopped_before(k, [&] { answer = b.read(now); })) break;
        CHECK(answer == result::success);
        CHECK(now.messages == 1);
        CHECK(belong_together(now));
    }
}

TEST_CASE("A tally whose count was started before its sum was added is not_together until a reset") {
    mpit::tool::batch<sample> b;
    REQUIRE(b.add(&sample::messages, performance_class::counter, "messages") == result::success);
    REQUIRE(b.start() == result::success);
    tallies.sent += 3;
    REQUIRE(b.add(&sample::bytes, performance_class::aggregate, "bytes") == result::success);
    REQUIRE(b.start() == result::not_together);
    tallies.sent += 3;
    sample now{};
    CHECK(b.read(now) == result::not_together);
    CHECK(now.messages == 2);
    CHECK(now.bytes == 3);
    REQUIRE(b.reset() == result::success);
    tallies.sent += 3;
    CHECK(b.read(now) == result::success);
    CHECK(belong_together({now.messages, now.bytes, 0, 0}));
}

namespace {

// A count that runs always, and its sum, which is added later. A message is dropped after each.
struct drops_batch {
    struct {
        unsigned long drops, dropped;
    } now{};
    mpit::tool::batch<decltype(now)> b;

    drops_batch() {
        REQUIRE(b.add(&decltype(now)::drops, performance_class::counter, "drops") == result::success);
        tallies.dropped += 3;
    }
    void add_sum() {
        REQUIRE(b.add(&decltype(now)::dropped, performance_class::aggregate, "dropped") == result::success);
        tallies.dropped += 3;
    }
};

} // namespace

TEST_CASE("A count that runs always keeps its value when its sum is added, and belongs to it after a reset") {
    drops_batch drops;
    auto& [now, b] = drops;
    REQUIRE(b.read(now) == result::success);
    CHECK(now.drops == 1);
    drops.add_sum();
    CHECK(b.read(now) == result::not_together);
    CHECK((now.drops == 2 && now.dropped == 3));
    REQUIRE(b.reset() == result::success);
    tallies.dropped += 3;
    CHECK(b.read(now) == result::success);
    CHECK((now.drops == 1 && now.dropped == 3));
}

TEST_CASE("A count and its sum that run always belong together if the batch was not used between") {
    drops_batch drops;
    auto& [now, b] = drops;
    drops.add_sum();
    CHECK(b.read(now) == result::success);
    CHECK((now.drops == 1 && now.dropped == 3));
}

TEST_CASE("A child of fork has whole tallies again, whatever the other threads were doing") {
    tally_batch b;
    for (long k = 1;; k++) {
        thread_in_a_change other{k};
        const pid_t child = fork();
        if (child == 0) {
            sample before{}, now{};
            bool is_whole = b.read(before) == result::success;
            // New threads go on with the cells of those that are left behind. ThreadSanitizer lets none begin after a fork.
            constexpr unsigned long thread_count = MPIT_THREAD_SANITIZER ? 0 : 20;
            std::atomic<unsigned long> counted{0};
            std::atomic<bool> may_end{false};
            std::vector<std::thread> threads;
            for (unsigned long i = 0; i < thread_count; i++)
                threads.emplace_back([&] {
                    change_both();
                    counted++;
                    while (!may_end) sched_yield();
                });
            while (counted < thread_count) sched_yield();
            is_whole = b.read(now) == result::success && is_whole;
            may_end = true;
            for (std::thread& each : threads) each.join();
            is_whole = is_whole && now.messages == before.messages + thread_count;
            is_whole = is_whole && now.bytes == before.bytes + 3 * thread_count;
            syscall(SYS_exit_group, is_whole ? 0 : 1); // a sanitizer would miss the threads of the parent
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        INFO("before operation " << k);
        CHECK(status == 0);
        other.go_on();
        if (!other.has_stopped()) break;
    }
}
