// SPDX-License-Identifier: BSD-3-Clause
// One handle's value of one element of a performance variable: what start, stop, read, write and reset do to it, for
// each behaviour. Every operation is one step, takes no lock and is async-signal-safe (MPI-5.0, 15.3.7).
//
//   element_value on{variable, cell, 0, stamp, state};   on.start();   std::uint64_t word;   if (on.read(word)) …
#pragma once

#include <mpit/session/element_block.hpp>
#include <mpit/session/state_arithmetic.hpp>
#include <mpit/variable/watched_level.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class element_value {
public:
    // How often a read beside changes of other threads begins again.
    static constexpr int most_reads = 64;

    // The first state and word are those that the block has, if there is one.
    element_value(descriptor::performance& variable, void* cell, std::uint32_t element, std::uint64_t stamp,
                  core::double_word& state, element_block* block = nullptr) noexcept
        : variable_{variable},
          operations_{*variable.operations},
          arithmetic_{state_arithmetic::of(variable)},
          cell_{cell},
          element_{element},
          stamp_{stamp << state_fact::stamp_shift},
          state_{state},
          block_{block} {}

    // The state of a new handle. A continuous one runs from the start.
    void begin() noexcept {
        if (variable_.continuous) tell(1);
        if (!arithmetic_.is_mark()) return state_.assign(initial()); // the handle is not open yet
        state_.overwrite(initial());
        catch_up();
    }
    // Ends the handle with this first state, and returns true to one of several callers. Calls the watch function of
    // the variable if the handle runs; `variable` is null if its library is not loaded.
    static bool end(core::double_word& first, std::uint64_t stamp, descriptor::performance* variable) noexcept {
        word_pair last = first.load();
        do
            if (!is_of(last, stamp << state_fact::stamp_shift)) return false;
        while (!first.replace(last, {last.value, stamp << state_fact::stamp_shift | state_fact::ended}));
        const bool is_watched = variable != nullptr && variable->operations->watch != nullptr;
        if (is_watched && (last.flags & state_fact::running) != 0) variable->operations->watch(*variable, -1);
        return true;
    }
    // Whether the state is that of a handle with this stamp, which has not been freed.
    static bool is_of(const word_pair& seen, std::uint64_t shifted_stamp) noexcept {
        return (seen.flags & (state_fact::stamp_mask | state_fact::ended)) == shifted_stamp;
    }

    // The operations return false if the handle was freed meanwhile; then nothing has changed.

    // Does nothing to a running element. A watermark keeps its mark, unless it is fresh.
    bool start() noexcept { return make(handle_step::start); }
    // Freezes the value. Does nothing to a stopped element.
    bool stop() noexcept { return make(handle_step::stop); }
    // The value back to its starting value; running or not stays as it was.
    bool reset() noexcept { return make(handle_step::reset); }
    // The value before a reset in the same step.
    bool read_and_reset(std::uint64_t& value) noexcept { return make(handle_step::read_and_reset, &value); }
    // A value that the element had between call and return: if the state changes behind the word, both are loaded
    // again. After most_reads changes in a row the word is older than the state: then the value is at least that with
    // which the state began.
    bool read(std::uint64_t& value) noexcept {
        word_pair seen = first_state();
        for (int reads = 1; is_mine(seen); reads++) {
            value = seen.value;
            if ((seen.flags & state_fact::running) == 0 || arithmetic_.is_mark()) return true;
            const std::uint64_t present = now(), flags = seen.flags;
            value = arithmetic_.value_at(seen, present);
            if (state_.has_flags(flags)) [[likely]]
                return true;
            block_ = nullptr; // its word is older than the state that is there now
            seen = state_.load();
            if (reads == most_reads) return read_of_last(seen, present, value);
        }
        return false;
    }
    // Sets the value for this handle alone.
    bool write(std::uint64_t value) noexcept { return make(handle_step::write, &value); }

    // A step with the buffer of a tool, if the step has one; on a watermark only if `IsMark`. MPI_T_ERR_INVALID for a
    // value that the variable cannot have, MPI_T_ERR_INVALID_HANDLE if the handle was freed meanwhile.
    template <bool IsMark> [[gnu::always_inline]] result act(handle_step step, void* buffer) noexcept {
        std::uint64_t word = 0;
        if (step == handle_step::begin) return begin(), result::success;
        if (step >= handle_step::check) {
            const bool is_possible = take(buffer, word);
            if (step == handle_step::check) return is_possible ? result::success : result::invalid;
        }
        const bool done = step == handle_step::read ? read(word)
                          : IsMark                  ? mark(step, word)
                                                    : make_unmarked(step, word);
        if (!done) return result::invalid_handle;
        if (step == handle_step::read || step == handle_step::read_and_reset) put(word, buffer);
        return result::success;
    }

    // The same for a text, which is the library's own, but for what changes only the state: whether the handle runs.
    // MPI_T_ERR_PVAR_NO_WRITE if the library refuses the text.
    [[gnu::noinline]] result act_on_text(handle_step step, void* buffer) const noexcept {
        const auto* const text = static_cast<const char*>(buffer);
        switch (step) {
        case handle_step::read: return operations_.read(variable_, cell_, buffer);
        case handle_step::check:
            return strnlen(text, variable_.count) < variable_.count ? result::success : result::invalid;
        case handle_step::write: return operations_.write(variable_, cell_, text);
        case handle_step::reset: return operations_.write(variable_, cell_, "");
        case handle_step::read_and_reset: {
            const result read = operations_.read(variable_, cell_, buffer);
            return read == result::success ? operations_.write(variable_, cell_, "") : read;
        }
        default: return result::success;
        }
    }

    // Between a word and the value that a tool sees, of the variable's type.
    void put(std::uint64_t word, void* buffer) const noexcept {
        char* target = static_cast<char*>(buffer) + element_ * core::size_of(variable_.type);
        if (operations_.words_per_unit != 0) word = in_units(word, operations_.words_per_unit);
        core::word_to(variable_.type, word, target);
    }
    // False for a value that the variable cannot have. Apart, because few tools write.
    [[gnu::noinline]] bool take(const void* buffer, std::uint64_t& word) const noexcept {
        word = core::word_from(variable_.type,
                               static_cast<const char*>(buffer) + element_ * core::size_of(variable_.type));
        if (variable_.enumeration.count != 0) return variable_.enumeration.has(static_cast<int>(word));
        if (variable_.type != datatype::double_type) return true;
        const double number = core::double_of(word);
        const bool may_be_negative = variable_.variable_class == performance_class::generic;
        if (number != number || (number < 0 && !may_be_negative)) return false;
        if (arithmetic_.is_percentage && number > 1) return false;
        if (operations_.words_per_unit == 0) return true;
        const double words = number * operations_.words_per_unit + 0.5;
        if (words >= 0x1p63) return false; // it would be no word, or come back negative
        word = static_cast<std::uint64_t>(words);
        return true;
    }

private:
    bool is_mine(const word_pair& seen) const noexcept { return is_of(seen, stamp_); }
    // One call a handle, not one an element.
    void tell(int change) const noexcept {
        if (operations_.watch != nullptr && element_ == 0) [[unlikely]]
            operations_.watch(variable_, change);
    }
    word_pair first_state() const noexcept { return block_ != nullptr ? block_->state(element_) : state_.load(); }
    [[gnu::noinline]] word_pair initial() const noexcept {
        const std::uint64_t facts = variable_.continuous    ? state_fact::running
                                    : arithmetic_.is_mark() ? state_fact::fresh
                                                            : 0;
        // The value of a sum that does not run needs no word of the library.
        const bool runs = facts == state_fact::running;
        const bool is_word_used = arithmetic_.kind == behaviour::accumulating ? runs : arithmetic_.is_mark() || !runs;
        const word_pair first = arithmetic_.initial(facts, is_word_used ? now() : 0);
        return {first.value, first.flags | stamp_};
    }
    [[gnu::cold, gnu::noinline]] bool read_of_last(const word_pair& seen, std::uint64_t present,
                                                   std::uint64_t& value) const noexcept {
        value = arithmetic_.value_at(seen, present);
        const bool is_sum = (seen.flags & state_fact::running) != 0 && arithmetic_.kind == behaviour::accumulating;
        if (is_sum && arithmetic_.is_below_start(value)) value = arithmetic_.starting_word;
        return is_mine(seen);
    }
    // Changes the state in one step. `value` is what is written, or becomes what was read.
    bool make(handle_step step, std::uint64_t* value = nullptr) noexcept {
        std::uint64_t word = value != nullptr ? *value : 0;
        const bool done = arithmetic_.is_mark() ? mark(step, word) : make_unmarked(step, word);
        if (value != nullptr) *value = word;
        return done;
    }
    [[gnu::always_inline]] bool make_unmarked(handle_step step, std::uint64_t& value) noexcept {
        if (step == handle_step::start)
            tell(1); // before the first sample, because a library may start to count from zero now
        bool was_running = false;
        const bool done = change(step, value, was_running);
        if (step == handle_step::start ? !done || was_running : step == handle_step::stop && done && was_running)
            tell(-1);
        return done;
    }
    // A change to the same state is counted as well: of two resets, or a reset and a start, the one whose word is older
    // begins again.
    [[gnu::always_inline]] bool change(handle_step step, std::uint64_t& value, bool& was_running) noexcept {
        word_pair seen = first_state();
        while (is_mine(seen)) {
            was_running = (seen.flags & state_fact::running) != 0;
            if (was_running ? step == handle_step::start : step == handle_step::stop) return true;
            const std::uint64_t present = arithmetic_.needs_word(step, was_running) ? now() : 0;
            const word_pair next = arithmetic_.after(step, seen, present, value);
            if (state_.replace(seen, {next.value, next.flags | stamp_})) return true;
            block_ = nullptr; // its word is older than the state that is there now
        }
        return false;
    }
    // The same for a watermark, whose state is its value, and whose library is told of no start.
    [[gnu::always_inline]] bool mark(handle_step step, std::uint64_t& value) noexcept {
        const bool is_start = step == handle_step::start, is_stop = step == handle_step::stop;
        const bool is_written = step == handle_step::write;
        for (word_pair seen = state_.load(); is_mine(seen);) {
            const std::uint64_t flags = seen.flags & state_fact::running;
            if (is_start ? flags != 0 : is_stop && flags == 0) return true;
            const bool is_kept = is_stop || (is_start && (seen.flags & state_fact::fresh) == 0);
            word_pair wanted{is_kept ? seen.value : is_written ? value : level().word(), flags};
            if (is_start) wanted.flags = state_fact::running;
            else if (is_stop) wanted.flags = 0;
            else if (!is_written && flags == 0) wanted.flags = state_fact::fresh;
            if (!state_.replace(seen, {wanted.value, wanted.flags | stamp_})) continue;
            if (step == handle_step::read_and_reset) value = seen.value;
            return is_stop || is_written || catch_up();
        }
        return false;
    }
    std::uint64_t now() const noexcept {
        if (block_ != nullptr) return block_->word(element_);
        return arithmetic_.is_mark() ? level().word() : operations_.sample(variable_, cell_, element_);
    }
    internal::watched_level& level() const noexcept {
        return *static_cast<internal::watched_level*>(operations_.level(variable_, cell_, element_));
    }
    // The level may have moved between its read and the moment from which its changes are merged.
    [[gnu::always_inline]] bool catch_up() noexcept {
        for (word_pair seen = state_.load(); is_mine(seen);) {
            const std::uint64_t present = level().word();
            const bool high = arithmetic_.kind == behaviour::marking_high;
            const bool is_further =
                core::is_less(operations_.real, high ? seen.value : present, high ? present : seen.value);
            if (!is_further || (seen.flags & state_fact::running) == 0 || state_.replace(seen, {present, seen.flags}))
                return true;
        }
        return false;
    }

    descriptor::performance& variable_;
    const descriptor::performance_operations& operations_;
    const state_arithmetic arithmetic_;
    void* cell_;
    std::uint32_t element_;
    std::uint64_t stamp_;
    core::double_word& state_;
    element_block* block_;
};

} // namespace session
} // namespace mpit
