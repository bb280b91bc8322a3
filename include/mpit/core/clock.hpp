// SPDX-License-Identifier: BSD-3-Clause
// The clocks of timers and events. nanoseconds() reads the system's monotonic clock. cycles() reads the processor's
// cycle counter on x86-64, and the monotonic clock elsewhere. All functions are async-signal-safe.
//
//   const std::uint64_t before = mpit::core::nanoseconds();
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

inline std::uint64_t nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

// Returns true if the processor's cycle counter is invariant, which means that it never stops or changes its rate.
inline bool has_cycle_counter() noexcept {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
#else
    return false;
#endif
}
inline std::uint64_t cycles() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return nanoseconds();
#endif
}

// A pair of simultaneous times of cycles() and nanoseconds(). both_clocks() returns the fastest of 16 readings, because
// a preemption between the calls of cycles() and nanoseconds() falsifies a reading and makes it slow.
struct moment {
    std::uint64_t cycle;
    std::uint64_t nanosecond;
};
inline moment both_clocks() noexcept {
    moment best{};
    std::uint64_t shortest = UINT64_MAX;
    for (int tries = 0; tries < 16; tries++) {
        const std::uint64_t begin = cycles(), now = nanoseconds(), duration = cycles() - begin;
        if (duration >= shortest) continue;
        shortest = duration;
        best = {begin + duration / 2, now};
    }
    return best;
}

// Measures the rate of the cycle counter against nanoseconds() for a hundredth of a second. Returns 0 if nanoseconds()
// does not advance, which happens if the kernel refuses clock_gettime().
inline std::uint64_t measured_cycles_per_second() noexcept {
    const moment first = both_clocks();
    for (int tries = 0; nanoseconds() - first.nanosecond < 10'000'000; tries++)
        if (tries > 100'000 && nanoseconds() == first.nanosecond) return 0;
    const moment last = both_clocks();
    return static_cast<std::uint64_t>(static_cast<double>(last.cycle - first.cycle) * 1e9 /
                                      static_cast<double>(last.nanosecond - first.nanosecond));
}

} // namespace core
} // namespace mpit
