// SPDX-License-Identifier: BSD-3-Clause
// A cell holds the value of a performance variable. A library can make a cell a member of its own structs. Any thread
// and any signal handler may change and read a cell. With glibc and an MPIT_THREAD_STORAGE of "global-dynamic", a
// thread's first addition to a sum allocates memory, and must not happen in a signal handler.
//
//   struct communicator { mpit::counter_cell sent; };   ++c.sent;
#pragma once

#include <mpit/concurrency/shard_cell.hpp>
#include <mpit/core/clock.hpp>
#include <mpit/core/probe.h>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The base class of counter_cell, real_cell and timer_cell, which hold sums. Each thread adds to its own part of the
// sum, in the thread's shard (concurrency/shard_cell.hpp). The sum is the total of the parts of all threads.
class sharded_sum {
public:
    constexpr sharded_sum() noexcept {}
    constexpr explicit sharded_sum(std::uint64_t start) noexcept : cell_{start} {}

    void assign_cell(std::uint32_t shard_cell) noexcept { cell_.assign_cell(shard_cell); }
    constexpr void initialize(std::uint64_t start) noexcept { cell_.initialize(start); }
    void reset(std::uint64_t start) noexcept { cell_.reset(start); }
    std::uint64_t total() const noexcept { return cell_.total(); }
    const core::shard_cell& in_shards() const noexcept { return cell_; }
    core::shard_cell& in_shards() noexcept { return cell_; }

protected:
    core::shard_cell cell_;
};

} // namespace internal

// A counter of whole units. No addition by a thread or a signal handler is lost. The counter wraps around at 2^64.
class counter_cell : public internal::sharded_sum {
public:
    using sharded_sum::sharded_sum;
    MPIT_MODULE_LOCAL void operator++() noexcept { cell_.add(1); }
    MPIT_MODULE_LOCAL void operator++(int) noexcept { cell_.add(1); }
    // Adds `amount` units, or does nothing if `amount` is negative, because a counter never decreases.
    template <class N> MPIT_MODULE_LOCAL void operator+=(N amount) noexcept {
        static_assert(!__is_same(N, double) && !__is_same(N, float),
                      "the amount that is added to an integer sum must be an integer");
        if (!(amount < N{})) cell_.add(static_cast<std::uint64_t>(amount));
    }
    // Returns the number of units that all threads have counted.
    MPIT_MODULE_LOCAL std::uint64_t get() const noexcept { return cell_.total(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return cell_.total(); }
};

// A sum of doubles. An amount that is negative, infinite or not a number is not added. A sum that exceeds the largest
// double stays infinite. After a reset, a tool's handle on an infinite sum reads 0.
class real_cell : public internal::sharded_sum {
public:
    using sharded_sum::sharded_sum;
    MPIT_MODULE_LOCAL void operator+=(double amount) noexcept {
        if (amount >= 0 && amount <= core::largest_double) cell_.add_real(amount);
    }
    // Returns the sum of the amounts that all threads have added, in the unit of the amounts.
    MPIT_MODULE_LOCAL double get() const noexcept { return cell_.total_real(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return core::bits_of(cell_.total_real()); }
};

// The result of start() of a timer or a latency. The measurement ends when the object is destroyed or when stop() is
// called. Only one thread may use a measurement.
template <class Cell> class measurement {
public:
    // Without a cell, the measurement reads no clock.
    MPIT_MODULE_LOCAL explicit measurement(Cell* cell) noexcept
        : cell_{cell}, start_{cell != nullptr ? core::nanoseconds() : 0} {
        MPIT_PROBE_TIMER("timer_start", cell_, start_);
    }
    measurement(const measurement&) = delete;
    measurement& operator=(const measurement&) = delete;
    MPIT_MODULE_LOCAL ~measurement() { stop(); }
    // Ends the measurement and adds the measured time to the timer or the latency.
    MPIT_MODULE_LOCAL void stop() noexcept {
        if (cell_ != nullptr) cell_->add(core::nanoseconds() - start_);
        cell_ = nullptr;
    }

private:
    Cell* cell_;
    std::uint64_t start_;
};

// A sum of measured times, in nanoseconds of the monotonic clock. A measurement lasts from start() to the end of the
// scope that holds the result of start().
class timer_cell : public internal::sharded_sum {
public:
    using sharded_sum::sharded_sum;
    // The type of a measurement of this timer.
    using running = measurement<timer_cell>;
    // Starts a measurement, which ends with the lifetime of the returned object.
    MPIT_MODULE_LOCAL [[nodiscard]] running start() noexcept { return running{this}; }
    // Adds a time in nanoseconds that the caller has measured without start().
    MPIT_MODULE_LOCAL void add(std::uint64_t nanoseconds) noexcept {
        MPIT_PROBE_TIMER("timer_stop", this, nanoseconds);
        cell_.add(nanoseconds);
    }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return cell_.total(); }
};

// Holds a number of one of the ten numeric types that MPI_T variables can have. Any thread and any signal handler may
// change and read the number without a lock.
template <core::number T> class generic_cell {
public:
    MPIT_MODULE_LOCAL constexpr generic_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit generic_cell(std::uint64_t start) noexcept : word_{start} {}
    MPIT_MODULE_LOCAL void operator=(T value) noexcept { word_.store(core::word_of(value)); }
    MPIT_MODULE_LOCAL void operator+=(T value) noexcept {
        std::uint64_t expected = word_.load();
        while (!word_.compare_exchange(expected, core::word_of(static_cast<T>(from_word(expected) + value)))) {}
    }
    // Returns the current number.
    MPIT_MODULE_LOCAL T get() const noexcept { return from_word(word_.load()); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return word_.load(); }
    // For the library's own use.
    MPIT_MODULE_LOCAL const void* stored() const noexcept { return &word_; }
    MPIT_MODULE_LOCAL constexpr void initialize(std::uint64_t start) noexcept { word_.initialize(start); }
    MPIT_MODULE_LOCAL void reset(std::uint64_t start) noexcept { word_.store(start); }

private:
    MPIT_MODULE_LOCAL static T from_word(std::uint64_t word) noexcept {
        if constexpr (__is_same(T, double)) return core::double_of(word);
        else return static_cast<T>(static_cast<typename core::value_type<T>::arithmetic>(word));
    }
    core::atomic<std::uint64_t> word_;
};

// Holds a state, which is a value of the enumeration E, or an int if the items of the enumeration are known only at run
// time. The upper half of the cell's word counts the changes of the state. If a tool has written a state to its handle,
// the tool reads that state until the next change by the library. Any thread and any signal handler may change and read
// the state. Two concurrent changes may be counted as one change. A change therefore needs no locked instruction.
template <class E>
    requires(core::enumerated<E> || __is_same(E, int))
class state_cell {
public:
    MPIT_MODULE_LOCAL constexpr state_cell() noexcept {}
    MPIT_MODULE_LOCAL constexpr explicit state_cell(std::uint64_t start) noexcept : word_{start & state_mask} {}
    MPIT_MODULE_LOCAL void operator=(E new_state) noexcept { change_to(static_cast<std::uint32_t>(new_state)); }
    // Returns the current state.
    MPIT_MODULE_LOCAL E get() const noexcept { return static_cast<E>(static_cast<int>(word_.load() & state_mask)); }
    MPIT_MODULE_LOCAL operator E() const noexcept { return get(); }

    // For the library's own use.
    MPIT_MODULE_LOCAL std::uint64_t word() const noexcept { return word_.load(); }
    MPIT_MODULE_LOCAL constexpr void initialize(std::uint64_t start) noexcept { word_.initialize(start & state_mask); }
    MPIT_MODULE_LOCAL void reset(std::uint64_t start) noexcept { change_to(static_cast<std::uint32_t>(start)); }

private:
    static constexpr std::uint64_t state_mask = 0xffffffff;
    MPIT_MODULE_LOCAL void change_to(std::uint32_t new_state) noexcept {
        const std::uint64_t previous = word_.load(core::relaxed);
        if (static_cast<std::uint32_t>(previous) != new_state)
            word_.store(((previous & ~state_mask) + (state_mask + 1)) | new_state);
    }

    core::atomic<std::uint64_t> word_;
};

} // namespace mpit
