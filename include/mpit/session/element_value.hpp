// SPDX-License-Identifier: BSD-3-Clause
// Performs operations of one handle on one element of a performance variable, such as a start, a read or a reset. The
// variable's `behaviour` determines the effect of an operation on the value. Every operation takes effect atomically,
// takes no lock and is async-signal-safe (MPI-5.0, 15.3.7).
//
//   element_value on{variable, cell, 0, stamp, state};   on.start();   std::uint64_t word;   if (on.read(word)) …
#pragma once

#include <mpit/session/element_block.hpp>
#include <mpit/session/state_arithmetic.hpp>
#include <mpit/variable/watched_level.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

class element_value {
public:
    // The largest number of attempts of a read while other threads change the handle's state.
    static constexpr int max_reads = 64;

    // If `block` is not null, the first attempt of an operation uses the state and the library's value from the block.
    element_value(descriptor::performance& variable, void* cell, std::uint32_t element, std::uint64_t stamp,
                  core::atomic_word_pair& state, element_block* block = nullptr) noexcept
        : variable_{variable},
          operations_{*variable.operations},
          arithmetic_{state_arithmetic::of(variable)},
          cell_{cell},
          element_{element},
          stamp_{stamp << state_fact::stamp_shift},
          state_{state},
          block_{block} {}

    // Stores the first state of a new handle. If the variable is continuous, the handle runs from this call on.
    void begin() noexcept {
        if (variable_.continuous) call_watch(1);
        if (!arithmetic_.has_mark()) return state_.store_unshared(initial()); // no other thread has the handle yet
        state_.store(initial());
        merge_level();
    }
    // Frees the handle whose first element has the state `first`. If several threads free the handle at once, only one
    // of the calls returns true. Calls the variable's watch function if the handle is running. `variable` is null if
    // the variable's library is not loaded.
    static bool end(core::atomic_word_pair& first, std::uint64_t stamp, descriptor::performance* variable) noexcept {
        word_pair expected = first.load();
        do
            if (!is_of(expected, stamp << state_fact::stamp_shift)) return false;
        while (
            !first.compare_exchange(expected, {expected.value, stamp << state_fact::stamp_shift | state_fact::ended}));
        const bool is_watched = variable != nullptr && variable->operations->watch != nullptr;
        if (is_watched && (expected.flags & state_fact::running) != 0) variable->operations->watch(*variable, -1);
        return true;
    }
    // Returns true if the state belongs to the handle with this stamp and the handle has not been freed.
    static bool is_of(const word_pair& state, std::uint64_t shifted_stamp) noexcept {
        return (state.flags & (state_fact::stamp_mask | state_fact::ended)) == shifted_stamp;
    }

    // All operations below return false and change nothing if the handle was freed before or during the call.

    // Starts a stopped element, and does nothing to a running element. A start sets a watermark to the current level
    // only if the handle is new or was reset.
    bool start() noexcept { return change(handle_operation::start); }
    // Freezes the value of a running element, and does nothing to a stopped element.
    bool stop() noexcept { return change(handle_operation::stop); }
    // Sets the element's value to the starting value that the standard defines for the variable's class. A reset
    // neither starts nor stops the element.
    bool reset() noexcept { return change(handle_operation::reset); }
    // Stores the element's value in `value` and resets the element in the same atomic step.
    bool read_and_reset(std::uint64_t& value) noexcept { return change(handle_operation::read_and_reset, &value); }
    // Stores a value that the element had at some time between the call and the return. If the handle's state changes
    // after the load of the library's value, the next attempt loads the state and the value again. After `max_reads`
    // attempts, the result is computed from the newest state and a library value that was loaded before this state.
    // After `max_reads` attempts, a sum below the variable's starting value is replaced by the starting value.
    bool read(std::uint64_t& value) noexcept {
        word_pair state = first_state();
        for (int reads = 1; is_of_handle(state); reads++) {
            value = state.value;
            if ((state.flags & state_fact::running) == 0 || arithmetic_.has_mark()) return true;
            const std::uint64_t word = current_word(), flags = state.flags;
            value = arithmetic_.value_at(state, word);
            if (state_.flags_equal(flags)) [[likely]]
                return true;
            block_ = nullptr; // the word in the block is older than the current state
            state = state_.load();
            if (reads == max_reads) return read_last_state(state, word, value);
        }
        return false;
    }
    // Sets the value that this handle reads, without a change of the values that other handles read.
    bool write(std::uint64_t value) noexcept { return change(handle_operation::write, &value); }

    // Performs an operation on the element. The tool's buffer holds the value of a read or write. `IsWatermark` is true
    // if the variable is a watermark. Returns MPI_T_ERR_INVALID if the variable does not accept the value of a write.
    // Returns MPI_T_ERR_INVALID_HANDLE if the handle was freed.
    template <bool IsWatermark> [[gnu::always_inline]] result perform(handle_operation step, void* buffer) noexcept {
        std::uint64_t word = 0;
        if (step == handle_operation::begin) return begin(), result::success;
        if (step >= handle_operation::check) {
            const bool is_valid = load_value(buffer, word);
            if (step == handle_operation::check) return is_valid ? result::success : result::invalid;
        }
        const bool done = step == handle_operation::read ? read(word)
                          : IsWatermark                  ? change_watermark(step, word)
                                                         : change_and_watch(step, word);
        if (!done) return result::invalid_handle;
        if (step == handle_operation::read || step == handle_operation::read_and_reset) store_value(word, buffer);
        return result::success;
    }

    // Performs an operation on a variable whose value is a text in the library. Starts and stops do nothing to a text.
    // Returns MPI_T_ERR_PVAR_NO_WRITE if the library does not accept a text that the tool writes.
    [[gnu::noinline]] result perform_on_text(handle_operation step, void* buffer) const noexcept {
        const auto* const text = static_cast<const char*>(buffer);
        switch (step) {
        case handle_operation::read: return operations_.read(variable_, cell_, buffer);
        case handle_operation::check:
            return strnlen(text, variable_.count) < variable_.count ? result::success : result::invalid;
        case handle_operation::write: return operations_.write(variable_, cell_, text);
        case handle_operation::reset: return operations_.write(variable_, cell_, "");
        case handle_operation::read_and_reset: {
            const result status = operations_.read(variable_, cell_, buffer);
            return status == result::success ? operations_.write(variable_, cell_, "") : status;
        }
        default: return result::success;
        }
    }

    // Converts the 64-bit `word` to the variable's type, and stores the result in the tool's buffer.
    void store_value(std::uint64_t word, void* buffer) const noexcept {
        char* target = static_cast<char*>(buffer) + element_ * core::size_of(variable_.type);
        if (operations_.words_per_unit != 0) word = in_units(word, operations_.words_per_unit);
        core::word_to(variable_.type, word, target);
    }
    // Converts a value in the tool's buffer to a 64-bit word. Returns false for a value that the variable does not
    // accept. load_value() is not inlined, because few tools write values.
    [[gnu::noinline]] bool load_value(const void* buffer, std::uint64_t& word) const noexcept {
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
        if (words >= 0x1p63) return false; // such a value would be read back as a negative number, or does not fit
        word = static_cast<std::uint64_t>(words);
        return true;
    }

private:
    bool is_of_handle(const word_pair& state) const noexcept { return is_of(state, stamp_); }
    // Calls the library's watch function for element 0 only, so that the function is called once for each handle.
    void call_watch(int delta) const noexcept {
        if (operations_.watch != nullptr && element_ == 0) [[unlikely]]
            operations_.watch(variable_, delta);
    }
    word_pair first_state() const noexcept { return block_ != nullptr ? block_->state(element_) : state_.load(); }
    [[gnu::noinline]] word_pair initial() const noexcept {
        const std::uint64_t facts = variable_.continuous     ? state_fact::running
                                    : arithmetic_.has_mark() ? state_fact::was_reset
                                                             : 0;
        // The first value of a stopped handle on a sum is the starting value, whatever the library has counted.
        const bool running = facts == state_fact::running;
        const bool needs_word =
            arithmetic_.kind == behaviour::accumulating ? running : arithmetic_.has_mark() || !running;
        const word_pair state = arithmetic_.initial(facts, needs_word ? current_word() : 0);
        return {state.value, state.flags | stamp_};
    }
    [[gnu::cold, gnu::noinline]] bool read_last_state(const word_pair& state, std::uint64_t word,
                                                      std::uint64_t& value) const noexcept {
        value = arithmetic_.value_at(state, word);
        const bool is_sum = (state.flags & state_fact::running) != 0 && arithmetic_.kind == behaviour::accumulating;
        if (is_sum && arithmetic_.is_below_start(value)) value = arithmetic_.starting_word;
        return is_of_handle(state);
    }
    // Changes the state atomically. A write reads `*value`. A read_and_reset stores the old value in `*value`.
    bool change(handle_operation step, std::uint64_t* value = nullptr) noexcept {
        std::uint64_t word = value != nullptr ? *value : 0;
        const bool done = arithmetic_.has_mark() ? change_watermark(step, word) : change_and_watch(step, word);
        if (value != nullptr) *value = word;
        return done;
    }
    [[gnu::always_inline]] bool change_and_watch(handle_operation step, std::uint64_t& value) noexcept {
        if (step == handle_operation::start)
            call_watch(1); // before the first sample, because the call may make the library count from zero
        bool was_running = false;
        const bool done = exchange_state(step, value, was_running);
        if (step == handle_operation::start ? !done || was_running
                                            : step == handle_operation::stop && done && was_running)
            call_watch(-1);
        return done;
    }
    // Each exchange increments the change count in the state, even if nothing else changes. If two resets, or a reset
    // and a start, are concurrent, the later exchange therefore fails, and is repeated with a newer library value.
    [[gnu::always_inline]] bool exchange_state(handle_operation step, std::uint64_t& value,
                                               bool& was_running) noexcept {
        word_pair expected = first_state();
        while (is_of_handle(expected)) {
            was_running = (expected.flags & state_fact::running) != 0;
            if (was_running ? step == handle_operation::start : step == handle_operation::stop) return true;
            const std::uint64_t word = arithmetic_.needs_word(step, was_running) ? current_word() : 0;
            const word_pair desired = arithmetic_.next_state(step, expected, word, value);
            if (state_.compare_exchange(expected, {desired.value, desired.flags | stamp_})) return true;
            block_ = nullptr; // the word in the block is older than the current state
        }
        return false;
    }
    // Changes the state of a watermark. The state contains the watermark's value. Watermarks have no watch function.
    [[gnu::always_inline]] bool change_watermark(handle_operation step, std::uint64_t& value) noexcept {
        const bool is_start = step == handle_operation::start, is_stop = step == handle_operation::stop;
        const bool is_write = step == handle_operation::write;
        for (word_pair expected = state_.load(); is_of_handle(expected);) {
            const std::uint64_t running = expected.flags & state_fact::running;
            if (is_start ? running != 0 : is_stop && running == 0) return true;
            const bool keeps_value = is_stop || (is_start && (expected.flags & state_fact::was_reset) == 0);
            word_pair desired{keeps_value ? expected.value : is_write ? value : level().word(), running};
            if (is_start) desired.flags = state_fact::running;
            else if (is_stop) desired.flags = 0;
            else if (!is_write && running == 0) desired.flags = state_fact::was_reset;
            if (!state_.compare_exchange(expected, {desired.value, desired.flags | stamp_})) continue;
            if (step == handle_operation::read_and_reset) value = expected.value;
            return is_stop || is_write || merge_level();
        }
        return false;
    }
    std::uint64_t current_word() const noexcept {
        if (block_ != nullptr) return block_->word(element_);
        return arithmetic_.has_mark() ? level().word() : operations_.sample(variable_, cell_, element_);
    }
    internal::watched_level& level() const noexcept {
        return *static_cast<internal::watched_level*>(operations_.level(variable_, cell_, element_));
    }
    // Updates the watermark if another thread changed the level before the exchange of the state. The caller's thread
    // stores the state and then loads the level. watched_level::merge_change() stores the level and then loads the
    // state. All four operations are seq_cst (Dekker pattern), so that at least one thread reads the other's store.
    [[gnu::always_inline]] bool merge_level() noexcept {
        for (word_pair expected = state_.load(); is_of_handle(expected);) {
            const std::uint64_t word = level().word();
            const bool is_high = arithmetic_.kind == behaviour::marking_high;
            const bool is_exceeded =
                core::is_less(operations_.real, is_high ? expected.value : word, is_high ? word : expected.value);
            if (!is_exceeded || (expected.flags & state_fact::running) == 0 ||
                state_.compare_exchange(expected, {word, expected.flags}))
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
    core::atomic_word_pair& state_;
    element_block* block_;
};

} // namespace session
} // namespace mpit
