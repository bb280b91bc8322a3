// SPDX-License-Identifier: BSD-3-Clause
// The state of one handle on one element of a performance variable, and what the steps of the handle make of it, from
// the word that the library has now (MPI-5.0, 15.3.7). A state is a value and facts about it, which change together.
//
//   const auto on = state_arithmetic::of(variable);   word_pair next = on.after(handle_step::start, seen, present, value);
#pragma once

#include <mpit/concurrency/double_word.hpp>
#include <mpit/session/value_form.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using core::word_pair;

// A step of a handle on its elements; `check` asks whether a value can be written.
enum class handle_step : std::uint8_t { read, start, stop, reset, read_and_reset, begin, check, write };

// Facts of a state, in its lower bits; the bits above them are the stamp of the handle that the state belongs to.
struct state_fact {
    static constexpr std::uint64_t running = 1;
    static constexpr std::uint64_t fresh = 2;      // of watermarks: the next start begins anew
    static constexpr std::uint64_t overridden = 4; // of states: a tool has written one
    static constexpr std::uint64_t ended =
        8; // the handle has been freed; in its first state alone, which then does not run
    static constexpr int stamp_shift = 8;
    static constexpr std::uint64_t all = (std::uint64_t{1} << stamp_shift) - 1;
    static constexpr std::uint64_t stamp_mask = core::double_word::user_mask & ~all;
};

inline constexpr bool is_watermark(behaviour kind) noexcept {
    return kind == behaviour::marking_high || kind == behaviour::marking_low;
}

struct state_arithmetic {
    behaviour kind;
    bool is_real = false, is_percentage = false; // a percentage is real
    std::uint64_t starting_word = 0;             // of a sum

    static state_arithmetic of(const descriptor::performance& variable) noexcept {
        const descriptor::performance_operations& operations = *variable.operations;
        return {operations.value_behaviour, operations.real, variable.variable_class == performance_class::percentage,
                variable.starting_word};
    }

    [[gnu::always_inline]] std::uint64_t minus(std::uint64_t a, std::uint64_t b) const noexcept {
        return core::difference(is_real, a, b);
    }
    // The state of a new handle, which runs if the variable is continuous.
    word_pair initial(std::uint64_t facts, std::uint64_t present) const noexcept {
        const bool runs = (facts & state_fact::running) != 0;
        if (kind == behaviour::accumulating) return {runs ? minus(present, starting_word) : starting_word, facts};
        return {is_mark() || !runs ? starting_point(present) : 0, facts};
    }
    // The value in a state. Not for watermarks, whose states are their values.
    [[gnu::always_inline]] std::uint64_t value_at(const word_pair& seen, std::uint64_t present) const noexcept {
        if ((seen.flags & state_fact::running) == 0) return seen.value;
        if (kind == behaviour::following)
            return seen.value == 0 ? starting_point(present) : within_class(minus(present, seen.value));
        if (kind == behaviour::choosing) {
            const bool unchanged = static_cast<std::uint32_t>(seen.value) == present >> 32;
            return (seen.flags & state_fact::overridden) != 0 && unchanged ? seen.value >> 32 : present;
        }
        return minus(present, seen.value);
    }
    // Whether the next state is made with the library's word.
    [[gnu::always_inline]] bool needs_word(handle_step step, bool is_running) const noexcept {
        return step == handle_step::start ? kind == behaviour::accumulating : is_running || step != handle_step::write;
    }
    // The state that a step which changes something makes of another one, without a stamp. `value` is what is written,
    // or becomes what was read.
    [[gnu::always_inline]] word_pair after(handle_step step, const word_pair& seen, std::uint64_t present,
                                           std::uint64_t& value) const noexcept {
        const std::uint64_t runs = seen.flags & state_fact::running;
        switch (step) {
        case handle_step::start:
            return {kind == behaviour::accumulating ? minus(present, seen.value) : 0, state_fact::running};
        case handle_step::stop: return {value_at(seen, present), 0};
        case handle_step::write:
            if (runs == 0) return {value, 0};
            if (kind == behaviour::choosing)
                return {value << 32 | present >> 32, state_fact::running | state_fact::overridden};
            return {minus(present, value), state_fact::running};
        default:
            if (step == handle_step::read_and_reset) value = value_at(seen, present);
            if (kind == behaviour::accumulating)
                return {runs != 0 ? minus(present, starting_word) : starting_word, runs};
            return {runs != 0 ? 0 : starting_point(present), runs};
        }
    }
    bool is_mark() const noexcept { return is_watermark(kind); }
    bool is_below_start(std::uint64_t word) const noexcept {
        const std::uint64_t more = minus(word, starting_word);
        return is_real ? core::double_of(more) < 0 : static_cast<std::int64_t>(more) < 0;
    }

private:
    [[gnu::always_inline]] std::uint64_t within_class(std::uint64_t word) const noexcept {
        if (!is_real) return static_cast<std::int64_t>(word) < 0 ? 0 : word;
        return is_percentage ? part_of_one(word) : not_negative(word);
    }
    // What a stopped element shows of the present word.
    [[gnu::always_inline]] std::uint64_t starting_point(std::uint64_t present) const noexcept {
        return kind == behaviour::following && is_real ? within_class(present) : present;
    }
};

} // namespace session
} // namespace mpit
