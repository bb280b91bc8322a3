// Threads add to tallies while others read, start, stop and reset batches: where a batch says that a sum and its count
// belong together, they do.
#include "../long_tests.hpp"
#include "tallies.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

using mpit::result;
using sample = tally_sample;

// Threads that add while one of these lives; each is replaced by a new one from time to time.
class adding_threads {
public:
    explicit adding_threads(int count) {
        for (int i = 0; i < count; i++)
            threads_.emplace_back([this] {
                while (!ends_) std::thread{[this] { add(); }}.join();
            });
    }
    ~adding_threads() {
        ends_ = true;
        for (std::thread& each : threads_) each.join();
    }
    adding_threads(const adding_threads&) = delete;

private:
    void add() {
        for (int i = 0; i < 5000 && !ends_; i++) change_both();
    }
    std::atomic<bool> ends_{false};
    std::vector<std::thread> threads_;
};

// Of samples, and of what the other threads do meanwhile.
unsigned long sample_count() { return is_long() ? 1'000'000ul : 20'000ul; }

struct outcomes {
    long together = 0, apart = 0, wrong = 0;
    void note(result answer, const sample& now) {
        if (answer == result::not_together) apart++;
        else if (answer == result::success && belong_together(now)) together++;
        else wrong++;
    }
};

} // namespace

TEST_CASE("Each sample that is taken while threads add contains whole changes only") {
    tally_batch b;
    outcomes seen;
    {
        adding_threads threads{2};
        sample now{}, before{};
        for (unsigned long i = 0; i < sample_count() || now.messages < 10 * sample_count(); i++) {
            const result answer = b.read(now);
            seen.note(answer, now);
            if (now.messages < before.messages || now.bytes < before.bytes) seen.wrong++;
            before = now;
        }
    }
    std::printf("%ld samples together, %ld apart\n", seen.together, seen.apart);
    CHECK(seen.wrong == 0);
    sample last{};
    CHECK(b.read(last) == result::success);
    CHECK(belong_together(last));
    CHECK(last.messages == last.uses);
}

TEST_CASE("Samples are consistent also when one or two other threads start, stop and reset the batch") {
    for (const int changer_count : {1, 2}) {
        tally_batch b;
        outcomes seen;
        {
            adding_threads threads{1};
            std::atomic<bool> ends{false};
            std::atomic<unsigned long> changes{0}, reads{0};
            std::vector<std::thread> changers;
            for (int i = 0; i < changer_count; i++)
                changers.emplace_back([&, i] {
                    for (int n = 0; !ends; n++) {
                        switch ((n + i) % 4) {
                        case 0: static_cast<void>(b.stop()); break;
                        case 1: static_cast<void>(b.start()); break;
                        default: static_cast<void>(b.reset());
                        }
                        changes++;
                        // One alone lets whole samples be taken between its changes, but not after each.
                        const unsigned long before = reads;
                        while (changer_count == 1 && n % 4 != 0 && reads < before + 2 && !ends) sched_yield();
                    }
                });
            sample now{};
            for (; reads < sample_count() || changes < sample_count() / 100; reads++) {
                const result answer = b.read(now);
                seen.note(answer, now);
            }
            ends = true;
            for (std::thread& each : changers) each.join();
        }
        std::printf("%ld samples together, %ld apart\n", seen.together, seen.apart);
        CHECK(seen.wrong == 0);
        if (changer_count == 1) CHECK(seen.together > 0);
        CHECK(b.reset() == result::success);
        CHECK(b.start() == result::success);
        tallies.sent += 3;
        sample last{};
        CHECK(b.read(last) == result::success);
        CHECK(last.messages == 1);
        CHECK(last.bytes == 3);
    }
}
