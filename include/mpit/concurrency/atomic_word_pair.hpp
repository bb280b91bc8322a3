// SPDX-License-Identifier: BSD-3-Clause
// Two words that change together: a value and its flags, with a count of changes. A change is one double-width
// compare-and-swap (DWCAS), so that a signal handler or another thread never reads half of it and never waits.
//
//   word_pair pair = state.load();  while (!state.compare_exchange(pair, {pair.value + 1, pair.flags})) {}
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/dwcas.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

struct word_pair {
    std::uint64_t value = 0;
    std::uint64_t flags = 0; // the lower half belongs to the user, the upper half counts the changes (an ABA tag)
    constexpr bool operator==(const word_pair& other) const noexcept {
        return value == other.value && flags == other.flags;
    }
};

class alignas(16) atomic_word_pair {
public:
    constexpr atomic_word_pair() noexcept = default;

    // As a sequence lock (Boehm, MSPC 2012): loads the count of changes, the value, and the count again. The acquire
    // load of a value of a later change pairs with the DWCAS in compare_exchange(), so that the last load reads a later
    // count.
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
    // Reads the flags alone, by one load.
    std::uint64_t flags(int order = acquire) const noexcept { return flags_.load(order); }
    bool flags_equal(std::uint64_t flags) const noexcept { return flags_.load_equals(flags); }
    // Reads the value alone, if DWCAS is an instruction. The caller reads the flags before and after it, as load()
    // does: the value belongs to them if they are equal.
    std::uint64_t value() const noexcept { return value_.load(); }
    // A compare-exchange; counts the change in the flags. On failure `expected` becomes the current pair.
    bool compare_exchange(word_pair& expected, word_pair desired) noexcept {
        desired.flags = (desired.flags & user_mask) | ((expected.flags & ~user_mask) + (user_mask + 1));
        if (dwcas(this, expected.value, expected.flags, desired.value, desired.flags)) return true;
        expected = load();
        return false;
    }
    // Replaces any current pair.
    void store(word_pair desired) noexcept {
        word_pair expected = load();
        while (!compare_exchange(expected, desired)) {}
    }

    // store() by two plain stores, while no other thread reads a valid pair, such as before a handle is published. A
    // compare_exchange() that began before fails: the first store is the flags with a new count.
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
