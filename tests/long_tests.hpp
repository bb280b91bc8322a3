// Whether randomised tests run many more rounds, and how many times as many again: MPIT_LONG_TESTS=1, or 200.
//     const unsigned long cycles = is_long() ? 10'000 * times_as_long() : 200;
#pragma once

#include <cstdlib>

inline bool is_long() { return std::getenv("MPIT_LONG_TESTS") != nullptr; }

// The number in MPIT_LONG_TESTS; 1 where it is not set, or is no number.
inline unsigned long times_as_long() {
    const char* const number = std::getenv("MPIT_LONG_TESTS");
    const unsigned long times = number != nullptr ? std::strtoul(number, nullptr, 10) : 1;
    return times == 0 ? 1 : times;
}
