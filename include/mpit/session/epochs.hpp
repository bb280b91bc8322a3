// SPDX-License-Identifier: BSD-3-Clause
// Counting of init and finalize. An epoch begins with the first init and ends with the last finalize; the thread level
// is what the first init of the epoch asked for (MPI-5.0, 15.3.4).
//
//   thread_level provided;  epochs.initialize(thread_level::multiple, provided);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class epochs {
public:
    bool is_open() const noexcept { return count_of(state_.load()) != 0; }
    std::uint32_t present() const noexcept { return epoch_of(state_.load()); }

    // Whether the epoch has not ended. For a thread that has opened a handle in it by a sequential store: either this
    // sequential load finds the end, or the finalize that ends the epoch finds the handle in slot_pool::each().
    bool goes_on(std::uint32_t epoch) const noexcept {
        const std::uint64_t state = state_.load(core::sequential);
        return count_of(state) != 0 && epoch_of(state) == epoch;
    }

    // MPI_T_ERR_CANNOT_INIT if the count cannot grow.
    result initialize(thread_level required, thread_level& provided) noexcept {
        std::uint64_t old = state_.load();
        for (;;) {
            const std::uint32_t count = count_of(old);
            if (count == 0xffffffff) return result::cannot_initialize;
            const thread_level level = count == 0 ? required : level_of(old);
            const std::uint32_t epoch = count == 0 ? next_epoch(epoch_of(old)) : epoch_of(old);
            if (!state_.compare_exchange(old, make(count + 1, level, epoch))) continue;
            provided = level;
            return result::success;
        }
    }
    // `ended` is the epoch that this call ended, or 0. MPI_T_ERR_NOT_INITIALIZED without a matching init.
    result finalize(std::uint32_t& ended) noexcept {
        std::uint64_t old = state_.load();
        do {
            if (count_of(old) == 0) return result::not_initialized;
        } while (!state_.compare_exchange(old, make(count_of(old) - 1, level_of(old), epoch_of(old))));
        ended = count_of(old) == 1 ? epoch_of(old) : 0;
        return result::success;
    }

private:
    // The count, the level and the number of the epoch change together. Epoch 0 never is.
    static constexpr std::uint64_t make(std::uint32_t count, thread_level level, std::uint32_t epoch) {
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
