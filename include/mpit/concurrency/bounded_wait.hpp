// SPDX-License-Identifier: BSD-3-Clause
// Waits for other threads, for about a second at most, or for as long as the caller says.
//
//   const bounded_wait limit;  if (!limit.wait_while([&] { return is_busy(); })) …   // about a second is over
#pragma once

#include <mpit/core/clock.hpp>

#include <ctime>
#include <sched.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

class bounded_wait {
public:
    static constexpr std::uint64_t second = 1'000'000'000;
    explicit bounded_wait(std::uint64_t most_nanoseconds = second) noexcept : most_{most_nanoseconds} {}

    // Returns false if the condition still holds when the time is over.
    template <class Condition> bool wait_while(Condition holds) const noexcept {
        for (std::uint64_t unmeasured = 0; holds();) {
            const std::uint64_t now = nanoseconds();
            if (now == 0 ? ++unmeasured > most_ / nanoseconds_of_a_yield : now - begin_ > most_) return false;
            // A long wait sleeps: many threads that yield to each other would keep the processors from those that they
            // wait for.
            constexpr timespec pause{0, 100'000};
            if (now - begin_ < yields_for || nanosleep(&pause, nullptr) != 0) sched_yield();
        }
        return true;
    }

private:
    // Less than it takes. Yields are counted if the kernel refuses the clock, which is 0 then.
    static constexpr std::uint64_t nanoseconds_of_a_yield = 50;
    static constexpr std::uint64_t yields_for = 1'000'000;
    const std::uint64_t most_;
    const std::uint64_t begin_ = nanoseconds();
};

// As wait_while() for about a second, which begins again whenever `count()` has changed: a thread that others overtake
// waits on.
template <class Condition, class Count> bool wait_for_turn(Condition holds, Count count) noexcept {
    bool still_holds = true;
    while (still_holds) {
        const auto seen = count();
        if (!bounded_wait{}.wait_while([&] { return (still_holds = holds()) && count() == seen; })) return false;
    }
    return true;
}

// Yields at most 100 times, for a caller that continues in either case. Returns whether the condition has ended.
template <class Condition> bool yield_while(Condition holds) noexcept {
    constexpr int most = 100;
    for (int i = 0; i < most; i++) {
        if (!holds()) return true;
        sched_yield();
    }
    return !holds();
}

} // namespace core
} // namespace mpit
