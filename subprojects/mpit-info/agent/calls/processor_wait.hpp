// How long the main thread was ready to run and had no processor since calls were counted first, as the kernel counts it.
//
//   processor_wait.begin();   … processor_wait.nanoseconds()
#pragma once

#include "../descriptor.hpp"
#include "call_clock.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace mpit_info {

class wait_for_processor {
public:
    void begin() noexcept {
        try {
            file_ = descriptor{
                open(("/proc/self/task/" + std::to_string(getpid()) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC)};
        } catch (...) {}
        least_ = static_cast<std::int64_t>(call_clock.ticks(500'000));
        if (first_ == 0) first_ = nanoseconds();
    }
    // 0 if the kernel does not count it.
    std::uint64_t nanoseconds() const noexcept {
        const int kept = errno;
        char text[96];
        const ssize_t length = file_.is_own() ? pread(file_.number(), text, sizeof text - 1, 0) : 0;
        unsigned long long waited = 0;
        text[length > 0 ? length : 0] = '\0';
        errno = kept;
        return std::sscanf(text, "%*u %llu", &waited) == 1 && waited > first_ ? waited - first_ : 0;
    }
    // What was before this moment is not attributed: calls were not seen.
    void restart(std::uint64_t now) noexcept { restarted_.store(now, std::memory_order_relaxed); }
    std::uint64_t restarted() const noexcept { return restarted_.load(std::memory_order_relaxed); }
    // The shortest time, in ticks, for which it is worth to be read: who loses the processor loses it for longer.
    std::int64_t least() const noexcept { return least_; }

private:
    descriptor file_;
    std::uint64_t first_ = 0;
    std::int64_t least_ = 0;
    std::atomic<std::uint64_t> restarted_{0};
};

// Never destroyed, as the call log.
inline wait_for_processor& processor_wait = *new wait_for_processor;

} // namespace mpit_info
