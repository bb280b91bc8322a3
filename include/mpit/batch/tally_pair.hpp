// SPDX-License-Identifier: BSD-3-Clause
// A sum and its count, both in one batch: they are read, started, stopped and reset as of one moment. Two handles
// cannot do that, and two variables that a thread changes one after the other cannot either: so a tally has cells of
// its own, and a batch reads both parts of it at once.
//
//   const tally_pair pair{count.state, sum.state, cell, real};   if (!pair.change(handle_step::reset, attempts)) …
#pragma once

#include <mpit/session/element_value.hpp>
#include <mpit/variable/tally_cell.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// The states of two handles. They belong together if their stamps are equal: a change gives the count's state the next
// stamp, then the sum's state the same. A change that finds either of them changed behind its load begins again, so
// that the last change of several at once makes them equal.
struct tally_pair {
    // Of reads of a cell beside changes of it, in one step of a batch: about ten microseconds.
    static constexpr std::uint32_t most_attempts = 1000;
    struct states {
        word_pair count, sum;
        bool is_together() const noexcept { return ((count.flags ^ sum.flags) & state_fact::stamp_mask) == 0; }
        bool runs_alike() const noexcept { return ((count.flags ^ sum.flags) & state_fact::running) == 0; }
        bool is_stopped() const noexcept { return ((count.flags | sum.flags) & state_fact::running) == 0; }
    };

    core::double_word& count_state;
    core::double_word& sum_state;
    const internal::tally_cell& cell;
    bool real; // the sum is one of doubles

    // To be called when one of the handles has been added to the other one. They begin at one moment if no tool sees it:
    // if the batch was not used since, or for two that have not begun.
    void begin(bool was_used) const noexcept {
        std::uint32_t attempts_left = most_attempts;
        const states seen = load();
        if (!was_used || (seen.is_stopped() && (seen.count.value | seen.sum.value) == 0))
            static_cast<void>(change(handle_step::reset, attempts_left));
        else sum_state.overwrite(stamped(seen.sum, seen.count.flags ^ unequal));
    }
    // Returns false if the sum may be of other changes than the count.
    bool read(std::uint64_t& count, std::uint64_t& sum, std::uint32_t& attempts_left) const noexcept {
        for (int reads = 1;; reads++) {
            const states seen = load();
            const internal::tally_values now = cell.values(real, attempts_left);
            const bool is_same = count_state.has_flags(seen.count.flags) && sum_state.has_flags(seen.sum.flags);
            if (!is_same && reads < element_value::most_reads) continue;
            count = value_at(of_count(), seen.count, now.count);
            sum = value_at(of_sum(), seen.sum, now.sum);
            return is_same && seen.is_together() && (now.is_whole || seen.is_stopped());
        }
    }
    // Starts, stops or resets both. Returns false if they have not changed at one moment: then they do not belong
    // together until a reset of two that run, or of two that do not.
    bool change(handle_step step, std::uint32_t& attempts_left) const noexcept {
        for (;;) {
            states seen = load();
            if (is_done(step, seen.count) && is_done(step, seen.sum)) return seen.is_together();
            const internal::tally_values now = cell.values(real, attempts_left);
            const bool is_alike = step == handle_step::reset ? seen.runs_alike() : seen.is_together();
            const bool is_together = now.is_whole && is_alike;
            const std::uint64_t stamp = seen.count.flags + (std::uint64_t{1} << state_fact::stamp_shift);
            const word_pair count = next(of_count(), step, seen.count, now.count);
            const word_pair sum = next(of_sum(), step, seen.sum, now.sum);
            if (count_state.replace(seen.count, stamped(count, stamp)) &&
                sum_state.replace(seen.sum, stamped(sum, is_together ? stamp : stamp ^ unequal)))
                return is_together;
        }
    }

private:
    // Turns a stamp into one that the count does not have before millions of changes.
    static constexpr std::uint64_t unequal = std::uint64_t{1} << 31;

    static state_arithmetic of_count() noexcept { return {behaviour::accumulating}; }
    state_arithmetic of_sum() const noexcept { return {behaviour::accumulating, real}; }
    states load() const noexcept {
        for (;;) {
            const states seen{count_state.load(), sum_state.load()};
            if (count_state.has_flags(seen.count.flags)) return seen;
        }
    }
    static word_pair stamped(const word_pair& state, std::uint64_t stamp) noexcept {
        return {state.value, (state.flags & state_fact::all) | (stamp & state_fact::stamp_mask)};
    }
    static bool is_done(handle_step step, const word_pair& seen) noexcept {
        const bool runs = (seen.flags & state_fact::running) != 0;
        return runs ? step == handle_step::start : step == handle_step::stop;
    }
    static word_pair next(const state_arithmetic& on, handle_step step, const word_pair& seen,
                          std::uint64_t present) noexcept {
        std::uint64_t unused = 0;
        return is_done(step, seen) ? seen : on.after(step, seen, present, unused);
    }
    // A word that is older than its state gives 0.
    static std::uint64_t value_at(const state_arithmetic& on, const word_pair& seen, std::uint64_t present) noexcept {
        const std::uint64_t value = on.value_at(seen, present);
        return on.is_below_start(value) ? 0 : value;
    }
};

} // namespace session
} // namespace mpit
