// SPDX-License-Identifier: BSD-3-Clause
// Converts an element's value from a 64-bit word to the type of the performance variable. A value_form selects the
// conversion. Most handles and most fields of a batch store their value_form when they are allocated.
//
//   const value_form form = form_of(variable);   store_value(form, word, buffer);
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

using descriptor::behaviour;

enum class value_form : std::uint32_t { word, lower_half, seconds, non_negative, fraction, none };

inline constexpr double nanoseconds_per_second = 1e9;

// Divides a word by `words_per_unit`, for example nanoseconds by 1e9 for seconds. Returns the bits of a double.
inline std::uint64_t in_units(std::uint64_t word, double words_per_unit) noexcept {
    return core::bits_of(static_cast<double>(static_cast<std::int64_t>(word)) / words_per_unit);
}
// non_negative() replaces a negative level by 0. fraction() limits a percentage to the range from 0 to 1.
inline std::uint64_t non_negative(std::uint64_t word) noexcept {
    return core::double_of(word) > 0 ? word : core::bits_of(0.0);
}
inline std::uint64_t fraction(std::uint64_t word) noexcept {
    return core::double_of(word) > 1 ? core::bits_of(1.0) : non_negative(word);
}

// Returns `none` if the variable has a unit other than seconds, so that the caller must call in_units() instead.
inline value_form form_of(const descriptor::performance& variable) noexcept {
    const descriptor::performance_operations& operations = *variable.operations;
    if (core::size_of(variable.type) == 4) return value_form::lower_half;
    if (operations.words_per_unit != 0)
        return operations.words_per_unit == nanoseconds_per_second ? value_form::seconds : value_form::none;
    if (operations.value_behaviour != behaviour::following || !operations.real) return value_form::word;
    return variable.variable_class == performance_class::percentage ? value_form::fraction : value_form::non_negative;
}

// Stores a converted word in a buffer of any alignment. Most variables have 64-bit values that need no conversion.
[[gnu::always_inline]] inline void store_value(value_form form, std::uint64_t word, void* buffer) noexcept {
    if (form == value_form::word) [[likely]] {
        std::memcpy(buffer, &word, 8);
        return;
    }
    switch (form) {
    case value_form::lower_half: std::memcpy(buffer, &word, 4); return;
    case value_form::seconds: word = in_units(word, nanoseconds_per_second); break;
    case value_form::non_negative: word = non_negative(word); break;
    case value_form::fraction: word = fraction(word); break;
    default: break;
    }
    std::memcpy(buffer, &word, 8);
}

} // namespace session
} // namespace mpit
