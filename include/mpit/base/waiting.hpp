// Waiting for other threads, for who can wait and must not wait for ever.
//
//   const patience until_then;  if (!until_then.wait_while([&] { return is_busy(); })) …   // about a second is over
#pragma once

#include <mpit/base/clock.hpp>

#include <sched.h>

namespace mpit::inline v0_1::base {

class patience {
public:
    // False where the condition still holds when the time is over.
    template <class Condition> bool wait_while(Condition holds) const noexcept {
        while (holds()) {
            if (nanoseconds() - begin_ > most) return false;
            sched_yield();
        }
        return true;
    }

private:
    static constexpr std::uint64_t most = 1'000'000'000;
    const std::uint64_t begin_ = nanoseconds();
};

} // namespace mpit::base
