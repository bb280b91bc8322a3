// Seconds of a clock of the system. Takes no lock; safe in signal handlers.
//
//   const double began = seconds_of(CLOCK_MONOTONIC);
#pragma once

#include <ctime>

namespace mpit_info {

inline double seconds_of(clockid_t clock) noexcept {
    timespec at{};
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
}

} // namespace mpit_info
