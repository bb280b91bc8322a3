// SPDX-License-Identifier: BSD-3-Clause
// One element of a batch: the state that a handle of its own would have, and the conversion from the library's word to
// a field of the tool's structure, selected once.
//
//   each.put(each.sum_of(false, total), sample);   // one counter
#pragma once

#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// Of the offset of a field; the other bits of its word are the form of the value.
inline constexpr int offset_bits = 29;

struct alignas(core::double_word) batch_element {
    core::double_word state;
    atomic<void*> source;          // the word itself, the level, the mark or the tally; null if it no longer exists
    std::uint32_t distance = 0;    // of the cell in every shard
    std::uint32_t offset : offset_bits = 0; // of the field
    value_form form : 32 - offset_bits = value_form::word;

    bool is_running(word_pair seen) const noexcept { return (seen.flags & state_fact::running) != 0; }
    // The value of a sum of which the library had `total`. If another thread has reset it meanwhile, the total is the older one, and the value
    // is 0.
    [[gnu::always_inline]] std::uint64_t sum_of(bool real, std::uint64_t total) const noexcept {
        const word_pair seen = state.load();
        if (!is_running(seen)) return seen.value;
        const std::uint64_t word = core::difference(real, total, seen.value);
        return static_cast<std::int64_t>(word) < 0 ? 0 : word; // so is a negative double
    }
    [[gnu::always_inline]] void put(std::uint64_t word, char* sample) const noexcept {
        // Foreseen, and asked of the bits where they stand: most fields are words.
        if (form == value_form::word) [[likely]]
            std::memcpy(sample + offset, &word, 8);
        else session::put(form, word, sample + offset);
    }
};
static_assert(sizeof(batch_element) == 32, "two elements share a line of the processor's memory");

// Which pass over the batch reads a variable.
enum class batch_pass : std::uint8_t { sums, real_sums, levels, marks, tallies, calls };
inline constexpr int element_pass_count = 4; // of the first ones: these go over elements, the others over variables

// A variable of the batch.
struct batch_variable {
    reference<descriptor::performance> target;
    batch_element* elements = nullptr;
    std::uint32_t offset = 0, bytes = 0;
    batch_pass pass{};
    atomic<std::uint8_t> is_gone;

    bool is_mark() const noexcept { return is_watermark(target.variable->operations->value_behaviour); }
    // These ask the record, which outlives the variable. A text has one element, which says whether it runs.
    bool is_text() const noexcept { return target.record->type == datatype::char_type; }
    std::uint32_t element_count() const noexcept { return is_text() ? 1 : target.record->count; }
    // The state of an element; null if it no longer exists.
    core::double_word* state(std::uint32_t element) const noexcept {
        batch_element& e = elements[element];
        if (!is_mark()) return &e.state;
        auto* mark = static_cast<internal::mark*>(e.source.load());
        return mark == nullptr ? nullptr : &mark->state;
    }

    // Calls `function` for each element, with its value. Returns false if one no longer exists, or one of them did.
    template <class Function> bool each_element(void* cell, std::uint64_t stamp, Function function) const noexcept {
        descriptor::performance& variable = *target.variable;
        const std::uint32_t count = element_count();
        if (element_block::is_of(variable, count)) return each_in_blocks(variable, cell, stamp, count, function);
        bool all_are_there = true;
        for (std::uint32_t i = 0; i < count; i++) {
            core::double_word* const there = state(i);
            if (there == nullptr || !function(element_value{variable, cell, i, stamp, *there})) all_are_there = false;
        }
        return all_are_there;
    }

    // The pass that fits a variable that is bound.
    static batch_pass pass_of(const reference<descriptor::performance>& target) noexcept {
        const descriptor::performance_operations& operations = *target.variable->operations;
        if (operations.is_in_tally) return batch_pass::tallies;
        if (target.record->binding != binding::none) return batch_pass::calls;
        switch (operations.value_behaviour) {
        case behaviour::accumulating: {
            if (operations.in_shards != descriptor::shard_use::sum || form_of(*target.variable) == value_form::none)
                return batch_pass::calls;
            return operations.real ? batch_pass::real_sums : batch_pass::sums;
        }
        case behaviour::following:
            return operations.level != nullptr && operations.level(*target.variable, target.cell, 0) != nullptr
                       ? batch_pass::levels
                       : batch_pass::calls;
        case behaviour::marking_high:
        case behaviour::marking_low: return batch_pass::marks;
        default: return batch_pass::calls;
        }
    }

private:
    template <class Function>
    [[gnu::noinline]] bool each_in_blocks(descriptor::performance& variable, void* cell, std::uint64_t stamp, std::uint32_t count,
                                          Function function) const noexcept {
        bool all_are_there = true;
        const auto state_of = [this](std::uint32_t i) -> core::double_word& { return elements[i].state; };
        element_block::for_each(variable, cell, count, state_of, [&](std::uint32_t i, element_block& block) {
            if (!function(element_value{variable, cell, i, stamp, state_of(i), &block})) all_are_there = false;
            return true;
        });
        return all_are_there;
    }
};

} // namespace session
} // namespace mpit
