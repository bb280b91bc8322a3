// For programs and plugins that run until they have been watched: a variable of theirs counts how often a tool has read
// it.
//
//   if (!is_read([] { ++steps; }, reads)) return 1;
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

// Calls `step()` until `reads` has grown by more than the snapshots of a watched program make of it. Returns false if
// it has not after a minute.
template <class Step> bool is_read(Step step, const std::atomic<unsigned long>& reads) {
    using clock = std::chrono::steady_clock;
    constexpr unsigned long enough = 12;
    const unsigned long before = reads;
    for (const auto end = clock::now() + std::chrono::minutes{1}; clock::now() < end;) {
        step();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
        if (reads >= before + enough) return true;
    }
    return false;
}
