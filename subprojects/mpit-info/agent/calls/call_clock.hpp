// The clock of calls: the processor's cycle counter if it runs at one rate, otherwise the system's clock. Reading it
// takes no lock, and 5 to 10 ns.
//
//   call_clock.begin(of_load);   const std::uint64_t before = call_clock.now();   … call_clock.nanoseconds(call_clock.now() - before)
#pragma once

#include <mpit/core/clock.hpp>

namespace mpit_info {

class clock_of_calls {
public:
    // Measures the rate of the counter since a moment that is 2 ms ago or more: else it waits.
    void begin(const mpit::core::moment& first) noexcept {
        has_cycles_ = mpit::core::has_cycle_counter();
        if (!has_cycles_) return;
        while (mpit::core::nanoseconds() - first.nanosecond < 2'000'000) {}
        const auto last = mpit::core::both_clocks();
        scale_ = static_cast<std::uint64_t>(static_cast<double>(last.nanosecond - first.nanosecond) /
                                            static_cast<double>(last.cycle - first.cycle) * 0x1p32);
    }
    std::uint64_t now() const noexcept { return has_cycles_ ? mpit::core::cycles() : mpit::core::nanoseconds(); }
    // A thread that moves to another processor may see it a little earlier there.
    std::uint64_t nanoseconds(std::uint64_t passed) const noexcept {
        if (static_cast<std::int64_t>(passed) < 0) return 0;
        return static_cast<std::uint64_t>(static_cast<wide>(passed) * scale_ >> 32);
    }
    std::uint64_t ticks(std::uint64_t of_nanoseconds) const noexcept {
        return static_cast<std::uint64_t>((static_cast<wide>(of_nanoseconds) << 32) / scale_);
    }

    // Nanoseconds of a tick, times 2 to the 32nd.
    std::uint64_t scale() const noexcept { return scale_; }

private:
    __extension__ typedef unsigned __int128 wide;

    bool has_cycles_ = false;
    std::uint64_t scale_ = std::uint64_t{1} << 32; // nanoseconds of a cycle, times 2 to the 32nd
};

inline clock_of_calls call_clock;

} // namespace mpit_info
