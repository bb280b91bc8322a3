// The clock of timers: nanoseconds of the system's monotonic clock, which is safe in signal handlers and never goes back.
//
//   const std::uint64_t before = mpit::base::nanoseconds();
#pragma once

#include <cstdint>
#include <time.h>

namespace mpit::base {

inline std::uint64_t nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace mpit::base
