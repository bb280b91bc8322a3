// SPDX-License-Identifier: BSD-3-Clause
// Two words that change together: a value and its flags. A change is one instruction, so that a signal handler or
// another thread never reads half of it and never waits.
//
//   word_pair seen = state.load();  while (!state.replace(seen, {seen.value + 1, seen.flags})) {}
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/double_exchange.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

struct word_pair {
    std::uint64_t value = 0;
    std::uint64_t flags = 0; // the lower half belongs to the user, the upper half counts the changes
    constexpr bool operator==(const word_pair& other) const noexcept {
        return value == other.value && flags == other.flags;
    }
};

class alignas(16) double_word {
public:
    constexpr double_word() noexcept = default;

    // The number of changes is read on both sides of the value: equal numbers mean that nothing changed in between.
    [[gnu::always_inline]] word_pair load() const noexcept {
        if constexpr (!is_exchange_an_instruction) {
            word_pair both;
            load_both(this, both.value, both.flags);
            return both;
        }
        for (;;) {
            const std::uint64_t previous = flags_.load();
            const std::uint64_t value = value_.load();
            if (flags_.has(previous)) [[likely]]
                return {value, previous};
        }
    }
    // The flags alone, at the cost of one load.
    std::uint64_t flags(int order = acquire) const noexcept { return flags_.load(order); }
    bool has_flags(std::uint64_t flags) const noexcept { return flags_.has(flags); }
    // The value alone, where the exchange is an instruction: it belongs to flags that are the same before and behind
    // it.
    std::uint64_t value() const noexcept { return value_.load(); }
    // Changes `expected` to `desired`; on failure `expected` becomes what is there.
    bool replace(word_pair& expected, word_pair desired) noexcept {
        desired.flags = (desired.flags & user_mask) | ((expected.flags & ~user_mask) + (user_mask + 1));
        if (replace_both(this, expected.value, expected.flags, desired.value, desired.flags)) return true;
        expected = load();
        return false;
    }
    // Whatever is there.
    void overwrite(word_pair desired) noexcept {
        word_pair seen = load();
        while (!replace(seen, desired)) {}
    }

    // The same while no other thread relies on them, by stores alone: a change that began before fails, because the
    // flags go first.
    void assign(word_pair desired) noexcept {
        if constexpr (!is_exchange_an_instruction) return overwrite(desired);
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
