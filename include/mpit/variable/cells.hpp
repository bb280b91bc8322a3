// SPDX-License-Identifier: BSD-3-Clause
// Cells: the values of performance variables, and the few instructions that change them. A runtime can embed a cell in
// its own objects.
// Any thread and any signal handler may change and read a cell. With MPIT_THREAD_STORAGE "global-dynamic" the first count of
// a thread allocates, and must not be made in a signal handler.
//
//   struct communicator { mpit::counter_cell sent; };   ++c.sent;
#pragma once

#include <mpit/core/clock.hpp>
#include <mpit/core/value.hpp>
#include <mpit/concurrency/shard_cell.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// What the cells of sums share: a cell in every shard.
class shard_kept {
public:
    constexpr shard_kept() noexcept {}
    constexpr explicit shard_kept(std::uint64_t start) noexcept : cell_{start} {}

    void number(std::uint32_t shard_cell) noexcept { cell_.number(shard_cell); }
    constexpr void begin_with(std::uint64_t start) noexcept { cell_.begin_with(start); }
    void reset(std::uint64_t start) noexcept { cell_.reset(start); }
    std::uint64_t total() const noexcept { return cell_.total(); }
    const internal::shard_cell& in_shards() const noexcept { return cell_; }

protected:
    internal::shard_cell cell_;
};

} // namespace internal

// Counts whole units. Nothing is lost to other threads or to signal handlers; the value wraps at 2 to the 64th.
class counter_cell : public internal::shard_kept {
public:
    using shard_kept::shard_kept;
    MPIT_MODULE_LOCAL void operator++() noexcept { cell_.add(1); }
    MPIT_MODULE_LOCAL void operator++(int) noexcept { cell_.add(1); }
    // Negative amounts are not added: a sum never decreases.
    template <class N> MPIT_MODULE_LOCAL void operator+=(N n) noexcept {
        static_assert(!__is_same(N, double) && !__is_same(N, float), "an integer sum takes integers");
        if (!(n < N{})) cell_.add(static_cast<std::uint64_t>(n));
    }
    // The sum so far, in the units that were counted. A read visits the cells of all threads.
    MPIT_MODULE_LOCAL std::uint64_t get() const noexcept { return cell_.total(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return cell_.total(); }
};

// Sums doubles; amounts that are negative, infinite or not a number are not added. A sum that is larger than every double is
// infinite from then on, and tools that reset it read 0.
class real_cell : public internal::shard_kept {
public:
    using shard_kept::shard_kept;
    MPIT_MODULE_LOCAL void operator+=(double n) noexcept {
        if (n >= 0 && n <= core::largest_double) cell_.add_real(n);
    }
    // The sum so far, in the unit of the amounts. A read visits the cells of all threads.
    MPIT_MODULE_LOCAL double get() const noexcept { return cell_.total_real(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return core::bits_of(cell_.total_real()); }
};

// Sums nanoseconds of the monotonic clock between start() and the end of a scope.
class timer_cell : public internal::shard_kept {
public:
    using shard_kept::shard_kept;
    // A measurement, which ends with this object or with stop(). One thread uses it.
    class running {
    public:
        MPIT_MODULE_LOCAL explicit running(timer_cell& cell) noexcept : cell_{&cell}, start_{core::nanoseconds()} {}
        running(const running&) = delete;
        running& operator=(const running&) = delete;
        MPIT_MODULE_LOCAL ~running() { stop(); }
        // Ends the measurement before the end of the scope.
        MPIT_MODULE_LOCAL void stop() noexcept {
            if (cell_ != nullptr) cell_->add(core::nanoseconds() - start_);
            cell_ = nullptr;
        }

    private:
        timer_cell* cell_;
        std::uint64_t start_;
    };

    // Begins a measurement. Reads the clock.
    MPIT_MODULE_LOCAL [[nodiscard]] running start() noexcept { return running{*this}; }
    // Adds a time that was measured elsewhere.
    MPIT_MODULE_LOCAL void add(std::uint64_t nanoseconds) noexcept { cell_.add(nanoseconds); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return cell_.total(); }
};

} // namespace mpit

#pragma GCC diagnostic pop
