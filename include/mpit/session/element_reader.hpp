// SPDX-License-Identifier: BSD-3-Clause
// Reads all elements of a handle on an array (MPI-5.0, 15.3.7). Takes no lock, is async-signal-safe, and needs 3 KB of the stack.
//
//   if (element_reader{variable, cell, stamp, form_of(variable)}.read(states, count, buffer)) …
#pragma once

#include <mpit/session/element_value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class element_reader {
public:
    // The form is not `none`.
    element_reader(descriptor::performance& variable, void* cell, std::uint64_t stamp, value_form form) noexcept
        : variable_{variable}, cell_{cell}, stamp_{stamp}, form_{form} {}

    // Returns false if the handle was freed meanwhile; then some elements may have been stored.
    bool read(core::double_word* states, std::uint32_t count, void* buffer) const noexcept {
        const element_value any{variable_, cell_, 0, stamp_, states[0]};
        const std::uint32_t size = core::size_of(variable_.type);
        const auto state_of = [states](std::uint32_t i) -> core::double_word& { return states[i]; };
        element_block block{variable_, cell_};
        char* target = static_cast<char*>(buffer);
        for (std::uint32_t first = 0; first < count; first += element_block::most) {
            block.come_to(first, count, state_of);
            if (!replace_states(any, block) || !read_changed(states, first, block)) return false;
            put_all(block.values(), block.count(), size, target);
            target += std::size_t{block.count()} * size;
        }
        return true;
    }

private:
    // Puts the value of each element in the place of its state's. Sums have a loop of their own, a third as long.
    [[gnu::always_inline]] bool replace_states(const element_value& any, element_block& block) const noexcept {
        const std::uint64_t stamp = stamp_ << element_value::stamp_shift;
        const std::uint32_t count = block.count();
        const std::uint64_t* const flags = block.flags();
        std::uint64_t* const values = block.values();
        std::uint64_t differing = 0, running = 0;
        for (std::uint32_t k = 0; k < count; k++) {
            differing |= flags[k] ^ stamp;
            running |= flags[k];
        }
        if ((differing & core::double_word::user_mask & ~element_value::facts) != 0) return false;
        if ((running & element_value::running) == 0) return true;
        const std::uint64_t* const words = block.words();
        if (variable_.operations->value_behaviour == behaviour::accumulating && !variable_.operations->real)
            for (std::uint32_t k = 0; k < count; k++)
                values[k] = (flags[k] & element_value::running) != 0 ? words[k] - values[k] : values[k];
        else
            for (std::uint32_t k = 0; k < count; k++) values[k] = any.value_at({values[k], flags[k]}, words[k]);
        return true;
    }
    // An element whose state has changed behind its word is read again.
    [[gnu::always_inline]] bool read_changed(core::double_word* states, std::uint32_t first, element_block& block) const noexcept {
        for (std::uint32_t k = 0; k < block.count(); k++) {
            if (states[first + k].flags() == block.flags()[k]) [[likely]]
                continue;
            if (!element_value{variable_, cell_, first + k, stamp_, states[first + k]}.read(block.values()[k])) return false;
        }
        return true;
    }
    [[gnu::always_inline]] void put_all(const std::uint64_t* values, std::uint32_t count, std::uint32_t size,
                                        char* target) const noexcept {
        if (form_ == value_form::word) std::memcpy(target, values, count * sizeof *values);
        else
            for (std::uint32_t k = 0; k < count; k++) put(form_, values[k], target + k * size);
    }

    descriptor::performance& variable_;
    void* cell_;
    std::uint64_t stamp_;
    value_form form_;
};

} // namespace session
} // namespace mpit
