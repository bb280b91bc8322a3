// SPDX-License-Identifier: BSD-3-Clause
// One handle's value of one element of a performance variable: what start, stop, read, write and reset do to it, for
// each behaviour. A state is two words that change together, so that every operation is one step, takes no lock and is
// async-signal-safe (MPI-5.0, 15.3.7).
//
//   element_value on{variable, cell, 0, stamp, state};   on.start();   std::uint64_t word;   if (on.read(word)) …
#pragma once

#include <mpit/variable/watched_level.hpp>
#include <mpit/session/element_block.hpp>
#include <mpit/session/value_form.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// A step of a handle on its elements. The first ones can be quick; `check` looks whether a value can be written.
enum class handle_step : std::uint8_t { read, start, stop, reset, read_and_reset, begin, check, write };

class element_value {
public:
    // Facts of a state; the bits above them are the stamp of the handle that the state belongs to.
    static constexpr std::uint64_t running = internal::mark::running;
    static constexpr std::uint64_t fresh = 2;      // of watermarks: the next start begins anew
    static constexpr std::uint64_t overridden = 4; // of states: a tool has written one
    static constexpr int stamp_shift = 8;
    static constexpr std::uint64_t facts = (std::uint64_t{1} << stamp_shift) - 1;
    static constexpr std::uint64_t other_stamp = facts + 1; // differs from that of a handle

    // How often a read beside changes of other threads begins again.
    static constexpr int most_reads = 64;

    // The first state and word are those that the block has, if there is one.
    element_value(descriptor::performance& variable, void* cell, std::uint32_t element, std::uint64_t stamp,
                  core::double_word& state, element_block* block = nullptr) noexcept
        : variable_{variable},
          operations_{*variable.operations},
          behaviour_{operations_.value_behaviour},
          cell_{cell},
          element_{element},
          stamp_{stamp << stamp_shift},
          state_{state},
          block_{block} {}

    // The state of a new handle. A continuous one runs from the start.
    [[gnu::noinline]] MPIT_MODULE_LOCAL word_pair initial() const noexcept {
        const std::uint64_t flags = variable_.continuous ? running : is_mark() ? fresh : 0;
        std::uint64_t value = 0;
        if (behaviour_ == behaviour::accumulating)
            value = flags != 0 ? minus(now(), variable_.starting_word) : variable_.starting_word;
        else if (is_mark() || flags == 0)
            value = starting_point(now());
        return {value, flags | stamp_};
    }
    void begin() noexcept {
        if (variable_.continuous) tell(1);
        if (!is_mark()) return state_.assign(initial()); // the handle is not open yet
        state_.overwrite(initial());
        catch_up();
    }
    // The handle is freed. Another thread that is in a start or a stop finds that the state is not its handle's: of the two, one tells the
    // library of the end.
    void end() noexcept {
        if (operations_.watch == nullptr) return;
        word_pair seen = state_.load();
        while (is_mine(seen) && !state_.replace(seen, {0, stamp_ ^ other_stamp})) {}
        if (is_mine(seen) && (seen.flags & running) != 0) tell(-1);
    }

    // The operations answer false if the handle was freed meanwhile; then nothing has changed.

    // Does nothing to a running element. A watermark keeps its mark, unless it is fresh.
    bool start() noexcept { return make(handle_step::start); }
    // Freezes the value. Does nothing to a stopped element.
    bool stop() noexcept { return make(handle_step::stop); }
    // The value back to its starting value; running or not stays as it was.
    bool reset() noexcept { return make(handle_step::reset); }
    // The value before a reset in the same step.
    bool read_and_reset(std::uint64_t& value) noexcept { return make(handle_step::read_and_reset, &value); }
    // A value that the element had between call and return: if the state changes behind the word, both are loaded again.
    bool read(std::uint64_t& value) const noexcept {
        const word_pair seen = first_state();
        if ((seen.flags & running) == 0 || is_mark()) {
            value = seen.value;
            return is_mine(seen);
        }
        value = value_at(seen, now());
        if (state_.load() == seen) [[likely]]
            return is_mine(seen);
        return read_again(variable_, cell_, element_, stamp_, state_, value);
    }
    // Sets the value for this handle alone.
    bool write(std::uint64_t value) noexcept { return make(handle_step::write, &value); }

    // A step with the buffer of a tool, if the step has one; on a watermark only if `IsMark`. MPI_T_ERR_INVALID for a value that
    // the variable cannot have, MPI_T_ERR_INVALID_HANDLE if the handle was freed meanwhile.
    template <bool IsMark> [[gnu::always_inline]] result act(handle_step step, void* buffer) noexcept {
        std::uint64_t word = 0;
        if (step == handle_step::begin) return begin(), result::success;
        if (step >= handle_step::check) {
            const bool is_possible = take(buffer, word);
            if (step == handle_step::check) return is_possible ? result::success : result::invalid;
        }
        const bool done = step == handle_step::read ? read(word) : IsMark ? mark(step, word) : make_unmarked(step, word);
        if (!done) return result::invalid_handle;
        if (step == handle_step::read || step == handle_step::read_and_reset) put(word, buffer);
        return result::success;
    }

    // The same for a text, which is the library's own, but for what changes only the state: whether the handle runs.
    // MPI_T_ERR_PVAR_NO_WRITE if the library refuses the text.
    [[gnu::noinline]] MPIT_MODULE_LOCAL result act_on_text(handle_step step, void* buffer) const noexcept {
        const auto* const text = static_cast<const char*>(buffer);
        switch (step) {
        case handle_step::read: return operations_.read(variable_, cell_, buffer);
        case handle_step::check: return strnlen(text, variable_.count) < variable_.count ? result::success : result::invalid;
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
    [[gnu::noinline]] MPIT_MODULE_LOCAL bool take(const void* buffer, std::uint64_t& word) const noexcept {
        word = core::word_from(variable_.type, static_cast<const char*>(buffer) + element_ * core::size_of(variable_.type));
        if (variable_.enumeration.count != 0) return variable_.enumeration.has(static_cast<int>(word));
        if (variable_.type != datatype::double_type) return true;
        const double number = core::double_of(word);
        const bool may_be_negative = variable_.variable_class == performance_class::generic;
        if (number != number || (number < 0 && !may_be_negative)) return false;
        if (variable_.variable_class == performance_class::percentage && number > 1) return false;
        if (operations_.words_per_unit == 0) return true;
        const double words = number * operations_.words_per_unit + 0.5;
        if (words >= 0x1p63) return false; // it would be no word, or come back negative
        word = static_cast<std::uint64_t>(words);
        return true;
    }

    // Whether the state is one of this handle, which has not been freed.
    bool is_mine(word_pair seen) const noexcept {
        return (seen.flags & core::double_word::user_mask & ~facts) == stamp_;
    }
    // The value in a state, when the library's word is `present`. Not for watermarks, whose states are their values.
    std::uint64_t value_at(word_pair seen, std::uint64_t present) const noexcept {
        if ((seen.flags & running) == 0) return seen.value;
        switch (behaviour_) {
        case behaviour::following: return seen.value == 0 ? starting_point(present) : within_class(minus(present, seen.value));
        case behaviour::choosing: {
            const bool unchanged = static_cast<std::uint32_t>(seen.value) == present >> 32;
            return (seen.flags & overridden) != 0 && unchanged ? seen.value >> 32 : present;
        }
        default: return minus(present, seen.value);
        }
    }

private:
    // One call a handle, not one an element.
    void tell(int change) const noexcept {
        if (operations_.watch != nullptr && element_ == 0) [[unlikely]]
            operations_.watch(variable_, change);
    }
    word_pair first_state() const noexcept { return block_ != nullptr ? block_->state(element_) : state_.load(); }
    // After most_reads changes in a row the word is older than the state: then the value is at least that with which the state began. Not a
    // member function, for which the object would have to be in memory.
    [[gnu::noinline]] MPIT_MODULE_LOCAL static bool read_again(descriptor::performance& variable, void* cell, std::uint32_t element,
                                                               std::uint64_t stamp, core::double_word& state, std::uint64_t& value) noexcept {
        const element_value one{variable, cell, element, stamp >> stamp_shift, state};
        word_pair seen = state.load();
        for (int reads = 1; one.is_mine(seen); reads++) {
            value = seen.value;
            if ((seen.flags & running) == 0) return true;
            const std::uint64_t present = one.now();
            const word_pair before = seen;
            seen = state.load();
            value = one.value_at(seen, present);
            if (seen == before) return true;
            if (reads < most_reads || !one.is_mine(seen)) continue;
            const bool is_sum = (seen.flags & running) != 0 && one.behaviour_ == behaviour::accumulating;
            if (is_sum && one.is_below_start(value)) value = variable.starting_word;
            return true;
        }
        return false;
    }
    // Changes the state in one step. `value` is what is written, or becomes what was read.
    MPIT_MODULE_LOCAL bool make(handle_step step, std::uint64_t* value = nullptr) noexcept {
        std::uint64_t word = value != nullptr ? *value : 0;
        const bool done = is_mark() ? mark(step, word) : make_unmarked(step, word);
        if (value != nullptr) *value = word;
        return done;
    }
    [[gnu::always_inline]] bool make_unmarked(handle_step step, std::uint64_t& value) noexcept {
        if (step == handle_step::start) tell(1); // before the first sample, because a library may start to count from zero now
        bool was_running = false;
        const bool done = change(step, value, was_running);
        if (step == handle_step::start ? !done || was_running : step == handle_step::stop && done && was_running) tell(-1);
        return done;
    }
    [[gnu::always_inline]] bool change(handle_step step, std::uint64_t& value, bool& was_running) noexcept {
        word_pair seen = first_state();
        while (is_mine(seen)) {
            was_running = (seen.flags & running) != 0;
            if (was_running ? step == handle_step::start : step == handle_step::stop) return true;
            if (replace(seen, after(step, seen, value))) return true;
            block_ = nullptr; // its word is older than the state that is there now
        }
        return false;
    }
    // The facts of `wanted` and the stamp of the handle. A change to the same state is counted as well: of two resets, or a reset and a start, the
    // one whose word is older begins again.
    [[gnu::always_inline]] bool replace(word_pair& seen, word_pair wanted) noexcept {
        wanted.flags |= stamp_;
        return state_.replace(seen, wanted);
    }
    // The state that a step makes of another one.
    [[gnu::always_inline]] word_pair after(handle_step step, word_pair seen, std::uint64_t& value) const noexcept {
        const std::uint64_t flags = seen.flags & running;
        const bool is_read = step == handle_step::start ? behaviour_ == behaviour::accumulating : flags != 0 || step != handle_step::write;
        const std::uint64_t present = is_read ? now() : 0;
        switch (step) {
        case handle_step::start: return {is_read ? minus(present, seen.value) : 0, running};
        case handle_step::stop: return {value_at(seen, present), 0};
        case handle_step::write:
            if (flags == 0) return {value, flags};
            if (behaviour_ == behaviour::choosing) return {value << 32 | present >> 32, flags | overridden};
            return {minus(present, value), flags};
        default:
            if (step == handle_step::read_and_reset) value = value_at(seen, present);
            return after_reset(seen, present);
        }
    }
    // The same for a watermark, whose state is its value, and whose library is told of no start.
    [[gnu::always_inline]] bool mark(handle_step step, std::uint64_t& value) noexcept {
        const bool is_start = step == handle_step::start, is_stop = step == handle_step::stop;
        const bool is_written = step == handle_step::write;
        for (word_pair seen = state_.load(); is_mine(seen);) {
            const std::uint64_t flags = seen.flags & running;
            if (is_start ? flags != 0 : is_stop && flags == 0) return true;
            const bool is_kept = is_stop || (is_start && (seen.flags & fresh) == 0);
            word_pair wanted{is_kept ? seen.value : is_written ? value : level().word(), flags};
            if (is_start) wanted.flags = running;
            else if (is_stop) wanted.flags = 0;
            else if (!is_written && flags == 0) wanted.flags = fresh;
            if (!replace(seen, wanted)) continue;
            if (step == handle_step::read_and_reset) value = seen.value;
            return is_stop || is_written || catch_up();
        }
        return false;
    }
    std::uint64_t now() const noexcept {
        if (block_ != nullptr) return block_->word(element_);
        return is_mark() ? level().word() : operations_.sample(variable_, cell_, element_);
    }
    bool is_mark() const noexcept {
        return behaviour_ == behaviour::marking_high || behaviour_ == behaviour::marking_low;
    }
    internal::watched_level& level() const noexcept {
        return *static_cast<internal::watched_level*>(operations_.level(variable_, cell_, element_));
    }
    // The level may have moved between its read and the moment from which its changes are merged.
    [[gnu::always_inline]] bool catch_up() noexcept {
        for (word_pair seen = state_.load(); is_mine(seen);) {
            const std::uint64_t present = level().word();
            const bool high = behaviour_ == behaviour::marking_high;
            const bool is_further = core::is_less(operations_.real, high ? seen.value : present, high ? present : seen.value);
            if (!is_further || (seen.flags & running) == 0 || state_.replace(seen, {present, seen.flags})) return true;
        }
        return false;
    }
    std::uint64_t minus(std::uint64_t a, std::uint64_t b) const noexcept {
        return core::difference(operations_.real, a, b);
    }
    std::uint64_t within_class(std::uint64_t word) const noexcept {
        if (!operations_.real) return static_cast<std::int64_t>(word) < 0 ? 0 : word;
        return variable_.variable_class == performance_class::percentage ? part_of_one(word) : not_negative(word);
    }
    // What a stopped element shows of the present word.
    std::uint64_t starting_point(std::uint64_t present) const noexcept {
        return behaviour_ == behaviour::following && operations_.real ? within_class(present) : present;
    }
    bool is_below_start(std::uint64_t word) const noexcept {
        const std::uint64_t more = minus(word, variable_.starting_word);
        return operations_.real ? core::double_of(more) < 0 : static_cast<std::int64_t>(more) < 0;
    }
    word_pair after_reset(word_pair seen, std::uint64_t present) const noexcept {
        const std::uint64_t flags = seen.flags & running;
        if (behaviour_ != behaviour::accumulating) return {flags != 0 ? 0 : starting_point(present), flags};
        return {flags != 0 ? minus(present, variable_.starting_word) : variable_.starting_word, flags};
    }

    descriptor::performance& variable_;
    const descriptor::performance_operations& operations_;
    const behaviour behaviour_; // of its own, so that it stays in a register
    void* cell_;
    std::uint32_t element_;
    std::uint64_t stamp_;
    core::double_word& state_;
    element_block* block_;
};

} // namespace session
} // namespace mpit
