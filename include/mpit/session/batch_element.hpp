// What a batch of variables keeps of one element: the state that a handle of its own would have, and the way from the
// library's word to a field of the tool's structure, found once.
//
//   each.put(each.shown(total), sample);   // one counter
#pragma once

#include <mpit/declare/cells.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>

namespace mpit::inline v0_1::session {

// How a word becomes what a field holds.
enum class field_form : std::uint32_t { word, half_a_word, seconds, not_negative, part_of_one };

struct alignas(base::double_word) batch_element {
    base::double_word state;
    atomic<void*> source;          // the word itself, the level, the mark or the tally; null where it is gone
    std::uint32_t number = 0;      // of the cell in every lane
    std::uint32_t offset : 29 = 0; // of the field
    field_form form : 3 = field_form::word;

    bool is_running(word_pair seen) const noexcept { return (seen.facts & element_value::running) != 0; }
    // The value of a sum of which the library has `total`.
    [[gnu::always_inline]] std::uint64_t sum_of(bool real, std::uint64_t total) const noexcept {
        const word_pair seen = state.load();
        return is_running(seen) ? base::difference(real, total, seen.value) : seen.value;
    }
    [[gnu::always_inline]] void put(std::uint64_t word, char* sample) const noexcept {
        if (form == field_form::word) [[likely]] {
            std::memcpy(sample + offset, &word, 8);
            return;
        }
        switch (form) {
        case field_form::half_a_word: std::memcpy(sample + offset, &word, 4); return;
        case field_form::seconds:
            word = base::bits_of(static_cast<double>(static_cast<std::int64_t>(word)) / nanoseconds_of_a_second);
            break;
        case field_form::not_negative:
        case field_form::part_of_one: word = limited(word); break;
        case field_form::word: break;
        }
        std::memcpy(sample + offset, &word, 8);
    }

    static constexpr double nanoseconds_of_a_second = 1e9;

private:
    std::uint64_t limited(std::uint64_t word) const noexcept {
        const double value = base::double_of(word);
        if (!(value > 0)) return base::bits_of(0.0);
        return form == field_form::part_of_one && value > 1 ? base::bits_of(1.0) : word;
    }
};
static_assert(sizeof(batch_element) == 32, "two elements share a line of the processor's memory");

// Which pass over the batch reads a variable.
enum class batch_pass : std::uint8_t { sums, real_sums, levels, marks, tallies, calls };
inline constexpr int element_pass_count = 4; // of the first ones: these go over elements, the others over variables

// A variable of the batch.
struct batch_variable {
    reference<describe::performance> to;
    batch_element* elements = nullptr; // none of a text, which is read whole
    std::uint32_t offset = 0, bytes = 0;
    batch_pass pass{};
    atomic<std::uint8_t> is_gone;

    bool is_mark() const noexcept {
        const behaviour of = to.variable->operations->of;
        return of == behaviour::marking_high || of == behaviour::marking_low;
    }
    bool is_text() const noexcept { return elements == nullptr; }
    // The state of an element; null where it is gone.
    base::double_word* state(std::uint32_t element) const noexcept {
        batch_element& e = elements[element];
        if (!is_mark()) return &e.state;
        auto* mark = static_cast<declare::mark*>(e.source.load());
        return mark == nullptr ? nullptr : &mark->state;
    }

    // The pass that fits a variable that is bound.
    static batch_pass pass_of(const reference<describe::performance>& to) noexcept {
        const describe::performance_operations& by = *to.variable->operations;
        if (by.is_in_tally) return batch_pass::tallies;
        if (to.record->binding != binding::none) return batch_pass::calls;
        switch (by.of) {
        case behaviour::accumulating: {
            const bool has_unit = by.words_per_unit == 0 || by.words_per_unit == batch_element::nanoseconds_of_a_second;
            if (by.lane_cells != 1 || !has_unit) return batch_pass::calls;
            return by.real ? batch_pass::real_sums : batch_pass::sums;
        }
        case behaviour::following:
            return by.level != nullptr && by.level(*to.variable, to.cell, 0) != nullptr ? batch_pass::levels
                                                                                        : batch_pass::calls;
        case behaviour::marking_high:
        case behaviour::marking_low: return batch_pass::marks;
        default: return batch_pass::calls;
        }
    }
    static field_form form_of(const reference<describe::performance>& to) noexcept {
        const describe::performance_operations& by = *to.variable->operations;
        if (base::size_of(to.record->type) == 4) return field_form::half_a_word;
        if (by.words_per_unit != 0) return field_form::seconds;
        if (by.of != behaviour::following || !by.real) return field_form::word;
        return to.record->in == performance_class::percentage ? field_form::part_of_one : field_form::not_negative;
    }
};

} // namespace mpit::session
