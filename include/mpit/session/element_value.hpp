// The value that one handle has of one element of a performance variable: what start, stop, read, write and reset do to it,
// for each behaviour. A state is two words that change together, so every operation is one step that needs no lock and may
// run in a signal handler (MPI-5.0, 15.3.7).
//
//   element_value on{variable, cell, 0, state};   on.start();   std::uint64_t word = on.read();
#pragma once

#include <mpit/declare/watched_level.hpp>
#include <mpit/describe/descriptor.hpp>

namespace mpit::session {

using base::word_pair;
using describe::behaviour;

class element_value {
public:
    // Facts of a state.
    static constexpr std::uint64_t running = declare::mark::running;
    static constexpr std::uint64_t fresh = declare::mark::fresh; // of watermarks: the next start begins anew
    static constexpr std::uint64_t overridden = 4;               // of states: a tool has written one

    element_value(describe::performance& variable, void* cell, std::uint32_t element, base::double_word& state) noexcept
        : variable_{variable}, operations_{*variable.operations}, cell_{cell}, element_{element}, state_{state} {}

    // The state of a new handle. A continuous one runs from the start.
    void begin() noexcept {
        const std::uint64_t facts = variable_.continuous ? running : 0;
        switch (operations_.of) {
        case behaviour::accumulating:
            state_.initialise({facts != 0 ? minus(now(), variable_.starting_word) : variable_.starting_word, facts});
            return;
        case behaviour::following:
        case behaviour::choosing: state_.initialise({facts != 0 ? 0 : now(), facts}); return;
        case behaviour::marking_high:
        case behaviour::marking_low:
            change([&](word_pair) { return word_pair{now(), facts != 0 ? facts : fresh}; });
            catch_up();
            return;
        case behaviour::direct: return;
        }
    }
    bool is_running() const noexcept { return (state_.load().facts & running) != 0; }

    // Does nothing to a running element. A watermark keeps its mark, unless it is fresh.
    void start() noexcept {
        change([&](word_pair seen) -> word_pair {
            if ((seen.facts & running) != 0) return seen;
            switch (operations_.of) {
            case behaviour::accumulating: return {minus(now(), seen.value), running};
            case behaviour::following:
            case behaviour::choosing: return {0, running};
            default: return {(seen.facts & fresh) != 0 ? now() : seen.value, running};
            }
        });
        if (is_mark()) catch_up();
    }
    // Freezes the value. Does nothing to a stopped element.
    void stop() noexcept {
        change([&](word_pair seen) -> word_pair {
            if ((seen.facts & running) == 0) return seen;
            return {value_of(seen), 0};
        });
    }
    // The value back to its starting value; running or not stays as it was.
    void reset() noexcept {
        change([&](word_pair seen) { return after_reset(seen, now()); });
        if (is_mark()) catch_up();
    }
    // The value before a reset in the same step.
    std::uint64_t read_and_reset() noexcept {
        std::uint64_t value = 0;
        change([&](word_pair seen) {
            const std::uint64_t present = now();
            value = value_at(seen, present);
            return after_reset(seen, present);
        });
        if (is_mark()) catch_up();
        return value;
    }
    std::uint64_t read() const noexcept { return value_of(state_.load()); }

    // Sets the value for this handle alone.
    void write(std::uint64_t value) noexcept {
        change([&](word_pair seen) -> word_pair {
            const std::uint64_t facts = seen.facts & running;
            if (operations_.of == behaviour::choosing && facts != 0)
                return {value << 32 | (now() & 0xffffffff), facts | overridden};
            if (facts == 0 || is_mark()) return {value, facts};
            return {minus(now(), value), facts};
        });
    }

    // Between a word and the value that a tool sees, of the variable's type.
    void put(std::uint64_t word, void* buffer) const noexcept {
        char* to = static_cast<char*>(buffer) + element_ * base::size_of(variable_.type);
        if (operations_.words_per_unit != 0)
            word = base::bits_of(static_cast<double>(static_cast<std::int64_t>(word)) / operations_.words_per_unit);
        base::word_to(variable_.type, word, to);
    }
    // False for a value that the variable cannot have.
    bool take(const void* buffer, std::uint64_t& word) const noexcept {
        word = base::word_from(variable_.type, static_cast<const char*>(buffer) + element_ * base::size_of(variable_.type));
        if (variable_.enumeration.count != 0) return variable_.enumeration.has(static_cast<int>(word));
        if (variable_.type != datatype::double_type) return true;
        const double number = base::double_of(word);
        const bool may_be_negative = variable_.in == performance_class::generic;
        if (number != number || (number < 0 && !may_be_negative)) return false;
        if (variable_.in == performance_class::percentage && number > 1) return false;
        if (operations_.words_per_unit != 0) word = static_cast<std::uint64_t>(number * operations_.words_per_unit + 0.5);
        return true;
    }

private:
    template <class Next> void change(Next next) noexcept {
        word_pair seen = state_.load();
        for (;;) {
            const word_pair wanted = next(seen);
            if (wanted.value == seen.value && wanted.facts == seen.facts) return;
            if (state_.replace(seen, wanted)) return;
        }
    }
    std::uint64_t now() const noexcept {
        return is_mark() ? level().word() : operations_.sample(variable_, cell_, element_);
    }
    bool is_mark() const noexcept {
        return operations_.of == behaviour::marking_high || operations_.of == behaviour::marking_low;
    }
    declare::watched_level& level() const noexcept {
        return *static_cast<declare::watched_level*>(operations_.level(variable_, cell_, element_));
    }
    // The level may have moved between the look at it and the moment from which its changes are merged.
    void catch_up() noexcept {
        word_pair seen = state_.load();
        const bool high = operations_.of == behaviour::marking_high;
        for (;;) {
            const std::uint64_t present = level().word();
            const bool further = high ? base::is_less(operations_.real, seen.value, present)
                                      : base::is_less(operations_.real, present, seen.value);
            if ((seen.facts & running) == 0 || !further || state_.replace(seen, {present, seen.facts})) return;
        }
    }
    std::uint64_t minus(std::uint64_t a, std::uint64_t b) const noexcept {
        return base::difference(operations_.real, a, b);
    }
    std::uint64_t value_of(word_pair seen) const noexcept {
        return (seen.facts & running) != 0 && !is_mark() ? value_at(seen, now()) : seen.value;
    }
    std::uint64_t value_at(word_pair seen, std::uint64_t present) const noexcept {
        if ((seen.facts & running) == 0 || is_mark()) return seen.value;
        switch (operations_.of) {
        case behaviour::following: return within_class(minus(present, seen.value));
        case behaviour::choosing: {
            const bool unchanged = static_cast<std::uint32_t>(seen.value) == static_cast<std::uint32_t>(present);
            return (seen.facts & overridden) != 0 && unchanged
                     ? static_cast<std::uint64_t>(static_cast<std::int64_t>(seen.value) >> 32)
                     : present;
        }
        default: return minus(present, seen.value);
        }
    }
    // A level is never negative, a percentage never above 1.
    std::uint64_t within_class(std::uint64_t word) const noexcept {
        if (!operations_.real) return static_cast<std::int64_t>(word) < 0 ? 0 : word;
        const double number = base::double_of(word);
        if (!(number > 0)) return base::bits_of(0.0);
        return variable_.in == performance_class::percentage && number > 1 ? base::bits_of(1.0) : word;
    }
    word_pair after_reset(word_pair seen, std::uint64_t present) const noexcept {
        const std::uint64_t facts = seen.facts & running;
        switch (operations_.of) {
        case behaviour::accumulating:
            return {facts != 0 ? minus(present, variable_.starting_word) : variable_.starting_word, facts};
        case behaviour::following:
        case behaviour::choosing: return {facts != 0 ? 0 : present, facts};
        default: return {present, facts != 0 ? facts : fresh};
        }
    }

    describe::performance& variable_;
    const describe::performance_operations& operations_;
    void* cell_;
    std::uint32_t element_;
    base::double_word& state_;
};

} // namespace mpit::session
