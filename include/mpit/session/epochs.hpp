// SPDX-License-Identifier: BSD-3-Clause
// Counts the calls of MPI_T_init_thread and MPI_T_finalize. An epoch begins with the first init and ends with the last
// finalize. The thread level of an epoch is the level that the first init of the epoch required (MPI-5.0, 15.3.4).
//
//   thread_level provided;  epochs.initialize(thread_level::multiple, provided);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/words.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

class epoch_counter {
public:
    bool is_open() const noexcept { return count_of(state_.load()) != 0; }
    std::uint32_t current() const noexcept { return epoch_of(state_.load()); }

    // Returns true if the epoch has not ended. Before the call, the caller has published a handle by a seq_cst store.
    // After finalize(), slot_pool::each() loads the handles by seq_cst loads. By this Dekker pattern, either
    // is_current() reads that finalize() has ended the epoch, or each() finds the handle.
    bool is_current(std::uint32_t epoch) const noexcept {
        const std::uint64_t state = state_.load(core::seq_cst);
        return count_of(state) != 0 && epoch_of(state) == epoch;
    }

    // Returns MPI_T_ERR_CANNOT_INIT if the 32-bit count of init calls would overflow.
    result initialize(thread_level required, thread_level& provided) noexcept {
        std::uint64_t state = state_.load();
        for (;;) {
            const std::uint32_t count = count_of(state);
            if (count == 0xffffffff) return result::cannot_initialize;
            const thread_level level = count == 0 ? required : level_of(state);
            const std::uint32_t epoch = count == 0 ? next_epoch(epoch_of(state)) : epoch_of(state);
            if (!state_.compare_exchange(state, pack(count + 1, level, epoch))) continue;
            provided = level;
            return result::success;
        }
    }
    // Sets `ended` to the epoch that this call has ended, or to 0 if the epoch continues. Returns
    // MPI_T_ERR_NOT_INITIALIZED if no epoch has begun.
    result finalize(std::uint32_t& ended) noexcept {
        std::uint64_t state = state_.load();
        do {
            if (count_of(state) == 0) return result::not_initialized;
        } while (!state_.compare_exchange(state, pack(count_of(state) - 1, level_of(state), epoch_of(state))));
        ended = count_of(state) == 1 ? epoch_of(state) : 0;
        return result::success;
    }

private:
    // Packs the count of init calls, the thread level and the epoch into one atomic word. The first epoch is 1.
    static constexpr std::uint64_t pack(std::uint32_t count, thread_level level, std::uint32_t epoch) {
        return std::uint64_t{count} << 32 | std::uint64_t{static_cast<std::uint8_t>(level)} << 30 | epoch;
    }
    static constexpr std::uint32_t next_epoch(std::uint32_t epoch) { return epoch == epoch_mask ? 1 : epoch + 1; }
    static constexpr std::uint32_t epoch_mask = (1u << 30) - 1;
    static constexpr std::uint32_t count_of(std::uint64_t state) { return static_cast<std::uint32_t>(state >> 32); }
    static constexpr thread_level level_of(std::uint64_t state) { return static_cast<thread_level>(state >> 30 & 3); }
    static constexpr std::uint32_t epoch_of(std::uint64_t state) {
        return static_cast<std::uint32_t>(state) & epoch_mask;
    }

    core::atomic<std::uint64_t> state_;
};

} // namespace session
} // namespace mpit
