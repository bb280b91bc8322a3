// SPDX-License-Identifier: BSD-3-Clause
// Computes the next state of a handle for one element of a performance variable from the handle's state, an operation
// and the library's current value (MPI-5.0, 15.3.7). A state is a value with flags, all changed by one DWCAS.
//
//   const auto a = state_arithmetic::of(variable);   word_pair next = a.next_state(step, state, word, value);
#pragma once

#include <mpit/concurrency/atomic_word_pair.hpp>
#include <mpit/session/value_form.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

using core::word_pair;

// An operation of a handle on an element. `begin` stores the first state. `check` checks a value before a write.
enum class handle_operation : std::uint8_t { read, start, stop, reset, read_and_reset, begin, check, write };

// Bits 0 to 7 of a state's flags are facts about the state. Bits 8 to 31 are the stamp of the handle.
struct state_fact {
    static constexpr std::uint64_t running = 1;
    static constexpr std::uint64_t was_reset = 2;  // the next start of a stopped watermark sets the current level
    static constexpr std::uint64_t overridden = 4; // a tool has written a value of a variable of class state
    static constexpr std::uint64_t ended = 8;      // the handle is freed; set in the state of the first element only
    static constexpr int stamp_shift = 8;
    static constexpr std::uint64_t all = (std::uint64_t{1} << stamp_shift) - 1;
    static constexpr std::uint64_t stamp_mask = core::atomic_word_pair::user_mask & ~all;
};

inline constexpr bool is_watermark(behaviour kind) noexcept {
    return kind == behaviour::marking_high || kind == behaviour::marking_low;
}

struct state_arithmetic {
    behaviour kind;
    bool is_real = false, is_percentage = false; // every percentage is a real number
    std::uint64_t starting_word = 0;             // the starting value of a sum

    static state_arithmetic of(const descriptor::performance& variable) noexcept {
        const descriptor::performance_operations& operations = *variable.operations;
        return {operations.value_behaviour, operations.real, variable.variable_class == performance_class::percentage,
                variable.starting_word};
    }

    [[gnu::always_inline]] std::uint64_t difference(std::uint64_t a, std::uint64_t b) const noexcept {
        return core::difference(is_real, a, b);
    }
    // Returns the first state of a new handle. `facts` says whether the handle is running.
    word_pair initial(std::uint64_t facts, std::uint64_t word) const noexcept {
        const bool running = (facts & state_fact::running) != 0;
        if (kind == behaviour::accumulating) return {running ? difference(word, starting_word) : starting_word, facts};
        return {has_mark() || !running ? stopped_value(word) : 0, facts};
    }
    // Returns the value of an element. Must not be called for a watermark, whose state contains the value.
    [[gnu::always_inline]] std::uint64_t value_at(const word_pair& state, std::uint64_t word) const noexcept {
        if ((state.flags & state_fact::running) == 0) return state.value;
        if (kind == behaviour::following)
            return state.value == 0 ? stopped_value(word) : clamped(difference(word, state.value));
        if (kind == behaviour::choosing) {
            const bool is_unchanged = static_cast<std::uint32_t>(state.value) == word >> 32;
            return (state.flags & state_fact::overridden) != 0 && is_unchanged ? state.value >> 32 : word;
        }
        return difference(word, state.value);
    }
    // Returns true if next_state() uses `word`, the library's current value, for this operation.
    [[gnu::always_inline]] bool needs_word(handle_operation step, bool is_running) const noexcept {
        return step == handle_operation::start ? kind == behaviour::accumulating
                                               : is_running || step != handle_operation::write;
    }
    // Returns the state after an operation, without the stamp. The caller must not start a running element or stop a
    // stopped element. A write reads `value`. A read_and_reset stores the element's old value in `value`.
    [[gnu::always_inline]] word_pair next_state(handle_operation step, const word_pair& state, std::uint64_t word,
                                                std::uint64_t& value) const noexcept {
        const std::uint64_t running = state.flags & state_fact::running;
        switch (step) {
        case handle_operation::start:
            return {kind == behaviour::accumulating ? difference(word, state.value) : 0, state_fact::running};
        case handle_operation::stop: return {value_at(state, word), 0};
        case handle_operation::write:
            if (running == 0) return {value, 0};
            if (kind == behaviour::choosing)
                return {value << 32 | word >> 32, state_fact::running | state_fact::overridden};
            return {difference(word, value), state_fact::running};
        default:
            if (step == handle_operation::read_and_reset) value = value_at(state, word);
            if (kind == behaviour::accumulating)
                return {running != 0 ? difference(word, starting_word) : starting_word, running};
            return {running != 0 ? 0 : stopped_value(word), running};
        }
    }
    bool has_mark() const noexcept { return is_watermark(kind); }
    bool is_below_start(std::uint64_t word) const noexcept {
        const std::uint64_t increase = difference(word, starting_word);
        return is_real ? core::double_of(increase) < 0 : static_cast<std::int64_t>(increase) < 0;
    }

private:
    // Limits a value to the values that the variable's class allows.
    [[gnu::always_inline]] std::uint64_t clamped(std::uint64_t word) const noexcept {
        if (!is_real) return static_cast<std::int64_t>(word) < 0 ? 0 : word;
        return is_percentage ? fraction(word) : non_negative(word);
    }
    // Converts the library's current value to the value of a stopped element. A level or percentage in doubles is
    // limited to the values that its class allows.
    [[gnu::always_inline]] std::uint64_t stopped_value(std::uint64_t word) const noexcept {
        return kind == behaviour::following && is_real ? clamped(word) : word;
    }
};

} // namespace session
} // namespace mpit
