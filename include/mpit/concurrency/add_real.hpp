// SPDX-License-Identifier: BSD-3-Clause
// Additions to an atomic word that holds the bits of a double.
//
//   mpit::core::add_real(word, 0.5);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// Adds to a word that has the bits of a double: one that only this thread writes, or one of all threads, which answers
// the new bits.
inline void add_real_as_owner(atomic<std::uint64_t>& cell, double n) noexcept {
    std::uint64_t old;
    do old = cell.load(relaxed);
    while (!cell.replace_as_owner(old, sum(true, old, bits_of(n))));
}
inline std::uint64_t add_real(atomic<std::uint64_t>& cell, double n) noexcept {
    std::uint64_t old = cell.load();
    while (!cell.compare_exchange(old, sum(true, old, bits_of(n)))) {}
    return sum(true, old, bits_of(n));
}

} // namespace core
} // namespace mpit
