// SPDX-License-Identifier: BSD-3-Clause
// Counts calls of init and finalize. An epoch begins with the first init and ends with the last finalize; its thread
// level is the one that its first init required (MPI-5.0, 15.3.4).
//
//   thread_level provided;  epochs.initialize(thread_level::multiple, provided);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class epoch_counter {
public:
    bool is_open() const noexcept { return count_of(state_.load()) != 0; }
    std::uint32_t current() const noexcept { return epoch_of(state_.load()); }

    // True if the epoch has not ended, for a thread that has opened a handle in it by a seq_cst store. In this store
    // buffering (Dekker) pattern either the seq_cst load here reads the end of the epoch, which finalize() has stored,
    // or the seq_cst loads of slot_pool::each(), which is called after finalize(), find the handle.
    bool is_current(std::uint32_t epoch) const noexcept {
        const std::uint64_t state = state_.load(core::seq_cst);
        return count_of(state) != 0 && epoch_of(state) == epoch;
    }

    // MPI_T_ERR_CANNOT_INIT if the count cannot grow.
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
    // `ended` becomes the epoch that this call has ended, or 0. MPI_T_ERR_NOT_INITIALIZED without a matching init.
    result finalize(std::uint32_t& ended) noexcept {
        std::uint64_t state = state_.load();
        do {
            if (count_of(state) == 0) return result::not_initialized;
        } while (!state_.compare_exchange(state, pack(count_of(state) - 1, level_of(state), epoch_of(state))));
        ended = count_of(state) == 1 ? epoch_of(state) : 0;
        return result::success;
    }

private:
    // The count, the level and the epoch are one word, so that they change together. No epoch is 0.
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
