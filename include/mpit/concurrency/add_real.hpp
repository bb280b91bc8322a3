// SPDX-License-Identifier: BSD-3-Clause
// Adds a number to an atomic word that holds the bits of a double.
//
//   mpit::core::add_real(word, 0.5);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// Adds `n` to a word that only the calling thread and its signal handlers write.
inline void add_real_as_owner(atomic<std::uint64_t>& cell, double n) noexcept {
    std::uint64_t expected;
    do expected = cell.load(relaxed);
    while (!cell.compare_and_set_as_owner(expected, sum(true, expected, bits_of(n))));
}
// Adds `n` to a word that all threads may write. Returns the new bits of the word.
inline std::uint64_t add_real(atomic<std::uint64_t>& cell, double n) noexcept {
    std::uint64_t expected = cell.load();
    while (!cell.compare_exchange(expected, sum(true, expected, bits_of(n)))) {}
    return sum(true, expected, bits_of(n));
}

} // namespace core
} // namespace mpit
