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

// The first state and word of an element: its own, read when they are needed, or those that its block has.
struct own_sample {
    static word_pair state(const core::double_word& of_element, std::uint32_t) noexcept { return of_element.load(); }
    static bool has_word() noexcept { return false; }
    static std::uint64_t word(std::uint32_t) noexcept { return 0; }
    static void forget() noexcept {}
};
struct block_sample {
    element_block* block;

    word_pair state(const core::double_word&, std::uint32_t element) const noexcept { return block->state(element); }
    bool has_word() const noexcept { return block != nullptr; }
    std::uint64_t word(std::uint32_t element) const noexcept { return block->word(element); }
    void forget() noexcept { block = nullptr; }
};

template <class Sample> class sampled_element_value {
public:
    // Facts of a state; the bits above them are the stamp of the handle that the state belongs to.
    static constexpr std::uint64_t running = internal::mark::running;
    static constexpr std::uint64_t fresh = 2;      // of watermarks: the next start begins anew
    static constexpr std::uint64_t overridden = 4; // of states: a tool has written one
    static constexpr int stamp_shift = 8;

    sampled_element_value(descriptor::performance& variable, void* cell, std::uint32_t element, std::uint64_t stamp,
                          core::double_word& state, Sample sample = {}) noexcept
        : variable_{variable},
          operations_{*variable.operations},
          cell_{cell},
          element_{element},
          stamp_{stamp << stamp_shift},
          state_{state},
          sample_{sample} {}

    // The state of a new handle. A continuous one runs from the start.
    word_pair initial() const noexcept {
        const std::uint64_t flags = variable_.continuous ? running : is_mark() ? fresh : 0;
        std::uint64_t value = 0;
        if (operations_.value_behaviour == behaviour::accumulating)
            value = flags != 0 ? minus(now(), variable_.starting_word) : variable_.starting_word;
        else if (is_mark() || flags == 0)
            value = starting_point(now());
        return {value, flags | stamp_};
    }
    void begin() noexcept {
        if (variable_.continuous) tell(1);
        state_.overwrite(initial());
        if (is_mark()) catch_up();
    }
    // The handle is freed; no other thread changes its state any more.
    void end() noexcept {
        if (operations_.watch != nullptr && (state_.load().flags & running) != 0) tell(-1);
    }

    // The operations answer false if the handle was freed meanwhile; then nothing has changed.

    // Does nothing to a running element. A watermark keeps its mark, unless it is fresh.
    bool start() noexcept {
        bool was_running = false;
        tell(1); // before the first sample, because a library may start to count from zero now
        const bool done = change([&](word_pair seen) -> word_pair {
            was_running = (seen.flags & running) != 0;
            if (was_running) return seen;
            switch (operations_.value_behaviour) {
            case behaviour::accumulating: return {minus(now(), seen.value), running};
            case behaviour::following:
            case behaviour::choosing: return {0, running};
            default: return {(seen.flags & fresh) != 0 ? now() : seen.value, running};
            }
        });
        if (!done || was_running) tell(-1);
        return done && (was_running || !is_mark() || catch_up());
    }
    // Freezes the value. Does nothing to a stopped element.
    bool stop() noexcept {
        bool was_running = false;
        const bool done = change([&](word_pair seen) -> word_pair {
            was_running = (seen.flags & running) != 0;
            if (!was_running) return seen;
            return {value_at(seen, is_mark() ? 0 : now()), 0};
        });
        if (done && was_running) tell(-1);
        return done;
    }
    // The value back to its starting value; running or not stays as it was.
    bool reset() noexcept {
        const bool done = change([&](word_pair seen) { return after_reset(seen, now()); });
        return done && (!is_mark() || catch_up());
    }
    // The value before a reset in the same step.
    bool read_and_reset(std::uint64_t& value) noexcept {
        const bool done = change([&](word_pair seen) {
            const std::uint64_t present = now();
            value = value_at(seen, present);
            return after_reset(seen, present);
        });
        return done && (!is_mark() || catch_up());
    }
    bool read(std::uint64_t& value) const noexcept {
        const word_pair seen = sample_.state(state_, element_);
        value = (seen.flags & running) != 0 && !is_mark() ? value_at(seen, now()) : seen.value;
        return is_mine(seen);
    }
    // Sets the value for this handle alone.
    bool write(std::uint64_t value) noexcept {
        return change([&](word_pair seen) -> word_pair {
            const std::uint64_t flags = seen.flags & running;
            if (operations_.value_behaviour == behaviour::choosing && flags != 0)
                return {value << 32 | now() >> 32, flags | overridden};
            if (flags == 0 || is_mark()) return {value, flags};
            return {minus(now(), value), flags};
        });
    }

    // Between a word and the value that a tool sees, of the variable's type.
    void put(std::uint64_t word, void* buffer) const noexcept {
        char* target = static_cast<char*>(buffer) + element_ * core::size_of(variable_.type);
        if (operations_.words_per_unit != 0) word = in_units(word, operations_.words_per_unit);
        core::word_to(variable_.type, word, target);
    }
    // False for a value that the variable cannot have.
    bool take(const void* buffer, std::uint64_t& word) const noexcept {
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

private:
    // One call a handle, not one an element.
    void tell(int change) const noexcept {
        if (operations_.watch != nullptr && element_ == 0) [[unlikely]]
            operations_.watch(variable_, change);
    }
    bool is_mine(word_pair seen) const noexcept {
        return (seen.flags & core::double_word::user_mask & ~((std::uint64_t{1} << stamp_shift) - 1)) == stamp_;
    }
    template <class Next> bool change(Next next) noexcept {
        word_pair seen = sample_.state(state_, element_);
        while (is_mine(seen)) {
            word_pair wanted = next(seen);
            wanted.flags = (wanted.flags & ((1u << stamp_shift) - 1)) | stamp_;
            if (wanted.value == seen.value && wanted.flags == (seen.flags & core::double_word::user_mask)) return true;
            if (state_.replace(seen, wanted)) return true;
            sample_.forget(); // its word is older than the state that is there now
        }
        return false;
    }
    std::uint64_t now() const noexcept {
        if (sample_.has_word()) return sample_.word(element_);
        return is_mark() ? level().word() : operations_.sample(variable_, cell_, element_);
    }
    bool is_mark() const noexcept {
        return operations_.value_behaviour == behaviour::marking_high ||
               operations_.value_behaviour == behaviour::marking_low;
    }
    internal::watched_level& level() const noexcept {
        return *static_cast<internal::watched_level*>(operations_.level(variable_, cell_, element_));
    }
    // The level may have moved between its read and the moment from which its changes are merged.
    bool catch_up() noexcept {
        const bool high = operations_.value_behaviour == behaviour::marking_high;
        return change([&](word_pair seen) -> word_pair {
            const std::uint64_t present = level().word();
            const bool further = high ? core::is_less(operations_.real, seen.value, present)
                                      : core::is_less(operations_.real, present, seen.value);
            return (seen.flags & running) != 0 && further ? word_pair{present, seen.flags} : seen;
        });
    }
    std::uint64_t minus(std::uint64_t a, std::uint64_t b) const noexcept {
        return core::difference(operations_.real, a, b);
    }
    std::uint64_t value_at(word_pair seen, std::uint64_t present) const noexcept {
        if ((seen.flags & running) == 0 || is_mark()) return seen.value;
        switch (operations_.value_behaviour) {
        case behaviour::following: return seen.value == 0 ? starting_point(present) : within_class(minus(present, seen.value));
        case behaviour::choosing: {
            const bool unchanged = static_cast<std::uint32_t>(seen.value) == present >> 32;
            return (seen.flags & overridden) != 0 && unchanged ? seen.value >> 32 : present;
        }
        default: return minus(present, seen.value);
        }
    }
    std::uint64_t within_class(std::uint64_t word) const noexcept {
        if (!operations_.real) return static_cast<std::int64_t>(word) < 0 ? 0 : word;
        return variable_.variable_class == performance_class::percentage ? part_of_one(word) : not_negative(word);
    }
    // What a stopped element shows of the present word.
    std::uint64_t starting_point(std::uint64_t present) const noexcept {
        return operations_.value_behaviour == behaviour::following && operations_.real ? within_class(present)
                                                                                       : present;
    }
    word_pair after_reset(word_pair seen, std::uint64_t present) const noexcept {
        const std::uint64_t flags = seen.flags & running;
        switch (operations_.value_behaviour) {
        case behaviour::accumulating:
            return {flags != 0 ? minus(present, variable_.starting_word) : variable_.starting_word, flags};
        case behaviour::following:
        case behaviour::choosing: return {flags != 0 ? 0 : starting_point(present), flags};
        default: return {present, flags != 0 ? flags : fresh};
        }
    }

    descriptor::performance& variable_;
    const descriptor::performance_operations& operations_;
    void* cell_;
    std::uint32_t element_;
    std::uint64_t stamp_;
    core::double_word& state_;
    [[no_unique_address]] Sample sample_;
};

using element_value = sampled_element_value<own_sample>;
using block_element_value = sampled_element_value<block_sample>;

} // namespace session
} // namespace mpit
