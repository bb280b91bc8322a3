// SPDX-License-Identifier: BSD-3-Clause
// Converts the word of a performance variable to the tool's type. Most handles and fields select their form once, when
// they are allocated.
//
//   const value_form form = form_of(variable);   put(form, word, buffer);
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using descriptor::behaviour;

enum class value_form : std::uint32_t { word, half_a_word, seconds, not_negative, part_of_one, none };

inline constexpr double nanoseconds_of_a_second = 1e9;

// A word of which so many are 1, as the bits of a double.
inline std::uint64_t in_units(std::uint64_t word, double words_per_unit) noexcept {
    return core::bits_of(static_cast<double>(static_cast<std::int64_t>(word)) / words_per_unit);
}
// The bits of a double, limited as its class is: a level is never negative, a percentage never above 1.
inline std::uint64_t not_negative(std::uint64_t word) noexcept {
    return core::double_of(word) > 0 ? word : core::bits_of(0.0);
}
inline std::uint64_t part_of_one(std::uint64_t word) noexcept {
    return core::double_of(word) > 1 ? core::bits_of(1.0) : not_negative(word);
}

// Returns none if the variable has a unit of its own.
inline value_form form_of(const descriptor::performance& variable) noexcept {
    const descriptor::performance_operations& operations = *variable.operations;
    if (core::size_of(variable.type) == 4) return value_form::half_a_word;
    if (operations.words_per_unit != 0)
        return operations.words_per_unit == nanoseconds_of_a_second ? value_form::seconds : value_form::none;
    if (operations.value_behaviour != behaviour::following || !operations.real) return value_form::word;
    return variable.variable_class == performance_class::percentage ? value_form::part_of_one
                                                                    : value_form::not_negative;
}

// The buffer may have any alignment. Most values are words.
[[gnu::always_inline]] inline void put(value_form form, std::uint64_t word, void* buffer) noexcept {
    if (form == value_form::word) [[likely]] {
        std::memcpy(buffer, &word, 8);
        return;
    }
    switch (form) {
    case value_form::half_a_word: std::memcpy(buffer, &word, 4); return;
    case value_form::seconds: word = in_units(word, nanoseconds_of_a_second); break;
    case value_form::not_negative: word = not_negative(word); break;
    case value_form::part_of_one: word = part_of_one(word); break;
    default: break;
    }
    std::memcpy(buffer, &word, 8);
}

} // namespace session
} // namespace mpit
