// SPDX-License-Identifier: BSD-3-Clause
// Waits for other threads with a time limit, which is about a second by default.
//
//   const bounded_wait limit;  if (!limit.wait_while([&] { return is_busy(); })) ...   // about a second has passed
#pragma once

#include <mpit/core/clock.hpp>

#include <ctime>
#include <sched.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

class bounded_wait {
public:
    static constexpr std::uint64_t second = 1'000'000'000;
    explicit bounded_wait(std::uint64_t limit_nanoseconds = second) noexcept : limit_{limit_nanoseconds} {}

    // Waits while `condition()` is true. Returns false if the time limit, counted from the constructor, has passed.
    template <class Condition> bool wait_while(Condition condition) const noexcept {
        for (std::uint64_t yields = 0; condition();) {
            const std::uint64_t now = nanoseconds();
            if (now == 0 ? ++yields > limit_ / nanoseconds_of_a_yield : now - begin_ > limit_) return false;
            // A long wait sleeps between the checks of the condition. Many threads that only yield to each other would
            // occupy the processors, so that the awaited threads could not run.
            constexpr timespec pause{0, 100'000};
            if (now - begin_ < yields_for || nanosleep(&pause, nullptr) != 0) sched_yield();
        }
        return true;
    }

private:
    // A lower bound of the duration of a yield. If the kernel refuses clock_gettime(), nanoseconds() returns 0, and
    // wait_while() counts yields instead of time.
    static constexpr std::uint64_t nanoseconds_of_a_yield = 50;
    static constexpr std::uint64_t yields_for = 1'000'000; // nanoseconds of yields before the first sleep
    const std::uint64_t limit_;
    const std::uint64_t begin_ = nanoseconds();
};

// Waits while `condition()` is true, with a time limit of about a second that begins anew whenever `count()` changes. A
// thread therefore keeps waiting while other threads make progress. Returns false if the time limit has passed.
template <class Condition, class Count> bool wait_for_turn(Condition condition, Count count) noexcept {
    bool is_true = true;
    while (is_true) {
        const auto previous = count();
        if (!bounded_wait{}.wait_while([&] { return (is_true = condition()) && count() == previous; })) return false;
    }
    return true;
}

// Yields at most 100 times while `condition()` is true. Returns true if the condition has become false.
template <class Condition> bool yield_while(Condition condition) noexcept {
    constexpr int max_yields = 100;
    for (int i = 0; i < max_yields; i++) {
        if (!condition()) return true;
        sched_yield();
    }
    return !condition();
}

} // namespace core
} // namespace mpit
