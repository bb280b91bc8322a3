// SPDX-License-Identifier: BSD-3-Clause
// A 64-bit value and a word of flags that change together. The upper half of the flags counts the changes of the pair.
// Each change is a double-width compare-and-swap (DWCAS), so that neither threads nor signal handlers wait or read half
// of a change.
//
//   word_pair pair = state.load();  while (!state.compare_exchange(pair, {pair.value + 1, pair.flags})) {}
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/dwcas.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

struct word_pair {
    std::uint64_t value = 0;
    std::uint64_t flags = 0; // the user's flags in the lower half, a count of changes (an ABA tag) in the upper half
    constexpr bool operator==(const word_pair& other) const noexcept {
        return value == other.value && flags == other.flags;
    }
};

class alignas(16) atomic_word_pair {
public:
    constexpr atomic_word_pair() noexcept = default;

    // Loads the pair as the reader of a sequence lock does (Boehm, MSPC 2012), by loads of the flags, of the value, and
    // of the flags again. The load of the value may read a change later than the first load of the flags. This acquire
    // load then pairs with the DWCAS in compare_exchange(), so that the second load of the flags reads a new count.
    [[gnu::always_inline]] word_pair load() const noexcept {
        if constexpr (!has_dwcas) {
            word_pair pair;
            load_pair(this, pair.value, pair.flags);
            return pair;
        }
        for (;;) {
            const std::uint64_t first_flags = flags_.load();
            const std::uint64_t value = value_.load();
            if (flags_.load_equals(first_flags)) [[likely]]
                return {value, first_flags};
        }
    }
    // Reads the flags without the value, by one load.
    std::uint64_t flags(int order = acquire) const noexcept { return flags_.load(order); }
    bool flags_equal(std::uint64_t flags) const noexcept { return flags_.load_equals(flags); }
    // Reads the value without the flags, if has_dwcas is true. The caller reads the flags before and after the value,
    // as load() does, and uses the value only if both readings of the flags are equal.
    std::uint64_t value() const noexcept { return value_.load(); }
    // Replaces the pair if it equals `expected`, and counts the change. On failure `expected` becomes the current pair.
    bool compare_exchange(word_pair& expected, word_pair desired) noexcept {
        desired.flags = (desired.flags & user_mask) | ((expected.flags & ~user_mask) + (user_mask + 1));
        if (dwcas(this, expected.value, expected.flags, desired.value, desired.flags)) return true;
        expected = load();
        return false;
    }
    void store(word_pair desired) noexcept {
        word_pair expected = load();
        while (!compare_exchange(expected, desired)) {}
    }

    // Performs store() by two release stores instead of a DWCAS, for a pair that no other thread uses yet. The first
    // store changes the count of changes, so that a late compare_exchange() with the previous flags fails.
    void store_unshared(word_pair desired) noexcept {
        if constexpr (!has_dwcas) return store(desired);
        flags_.store((desired.flags & user_mask) | ((flags_.load() & ~user_mask) + (user_mask + 1)));
        value_.store(desired.value);
    }

    static constexpr std::uint64_t user_mask = 0xffffffff;

private:
    atomic<std::uint64_t> value_;
    atomic<std::uint64_t> flags_;
};

} // namespace core
} // namespace mpit
