// SPDX-License-Identifier: BSD-3-Clause
// A value of several words that is read and written as one. Writers fill a spare buffer and then select it, so that a
// reader never waits for a writer, not even for one that it has interrupted as a signal handler.
//
//   seqlock_value<64> name;  name.write(bytes);  name.read(bytes);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <cstddef>
#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// Which of several buffers holds the value; where they are, and how large, is known to readers and writers.
class present_buffer {
public:
    // The initial value has a buffer of its own, so that the others need no constant.
    static constexpr int spare_count = 4, initial_buffer = spare_count;

    // Calls `copy(buffer)` until no writer has interrupted it.
    template <class Copy> void read(const Copy& copy) const noexcept {
        for (;;) {
            const std::uint64_t present = present_.load();
            copy(index_of(present));
            if (present_.load() == present) return;
        }
    }
    // Calls `fill(buffer)` and makes that buffer the present one. Waits for writers that hold every spare buffer; false after about a
    // second without any write, which only a signal handler sees that has interrupted them in its own thread.
    template <class Fill> bool write(const Fill& fill) noexcept {
        const int claimed = claim();
        if (claimed < 0) return false;
        fill(claimed);
        select(claimed);
        return true;
    }

private:
    // The present word: which buffer holds the value, and how often it changed.
    static constexpr std::uint64_t index_mask = 7;
    static int index_of(std::uint64_t present) noexcept { return static_cast<int>(present & index_mask); }

    // A spare buffer that no other writer fills; -1 if there is none.
    [[gnu::noinline]] int claim() noexcept {
        const int claimed = claim_at_once();
        return claimed >= 0 ? claimed : claim_in_turn();
    }
    // Makes a claimed buffer the present one.
    [[gnu::noinline]] void select(int claimed) noexcept {
        std::uint64_t present = present_.load();
        while (!present_.compare_exchange(present, (present & ~index_mask) + (index_mask + 1) + static_cast<std::uint64_t>(claimed))) {}
        if (index_of(present) != initial_buffer) taken_[index_of(present)].store(0);
    }
    int claim_at_once() noexcept {
        for (int i = 0; i < spare_count; i++)
            if (taken_[i].load(relaxed) == 0 && taken_[i].replace(0, 1)) return i;
        return -1;
    }
    [[gnu::cold, gnu::noinline]] int claim_in_turn() noexcept {
        int claimed = -1;
        wait_for_turn([&] { return (claimed = claim_at_once()) < 0; }, [&] { return present_.load(relaxed); });
        return claimed;
    }

    atomic<std::uint8_t> taken_[spare_count];
    atomic<std::uint64_t> present_{initial_buffer};
};

template <std::size_t Bytes> class seqlock_value {
public:
    static constexpr std::size_t word_count = (Bytes + 7) / 8;
    struct words {
        std::uint64_t values[word_count]{};
    };

    constexpr seqlock_value() noexcept {}
    constexpr explicit seqlock_value(const words& initial) noexcept : initial_{initial} {}

    void read(words& value) const noexcept {
        present_.read([&](int buffer) {
            for (std::size_t i = 0; i < word_count; i++) value.values[i] = load(buffer, i);
        });
    }
    // Its initial value.
    const words& initial() const noexcept { return initial_; }
    // As present_buffer::write.
    bool write(const words& value) noexcept {
        return present_.write([&](int buffer) {
            for (std::size_t i = 0; i < word_count; i++) buffers_[buffer][i].store(value.values[i]);
        });
    }

private:
    std::uint64_t load(int buffer, std::size_t word) const noexcept {
        return buffer == present_buffer::initial_buffer ? initial_.values[word] : buffers_[buffer][word].load();
    }

    words initial_{};
    atomic<std::uint64_t> buffers_[present_buffer::spare_count][word_count];
    present_buffer present_;
};

} // namespace core
} // namespace mpit
