// SPDX-License-Identifier: BSD-3-Clause
// A value of several words that threads read and write as one unit. A sequence lock selects one of several buffers
// (Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012). A writer fills a spare buffer
// and then selects it, so that a reader never waits, not even in a signal handler that interrupts a writer.
//
//   seqlock_value<64> name;  name.write(characters, length);  name.read(buffer);
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <cstddef>
#include <cstring>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// Selects which of several buffers holds the value. A writer may reuse a buffer that a reader still copies. If the
// reader copies a new word, its acquire load pairs with the writer's release store. A writer claims a buffer only after
// select() has selected another buffer, so that the two loads of present_ in read() return different words.
class buffer_selection {
public:
    // The initial value has its own buffer, so that the spare buffers need no constant initializer.
    static constexpr int spare_count = 4, initial_buffer = spare_count;

    // Calls `copy(buffer)` for the selected buffer, and repeats the call if a writer selects another buffer meanwhile.
    template <class Copy> void read(const Copy& copy) const noexcept {
        for (;;) {
            const std::uint64_t selection = present_.load();
            copy(index_of(selection));
            if (present_.load() == selection) return;
        }
    }
    // Calls `fill(buffer)` for a spare buffer and then selects the buffer. Waits while all spare buffers are in use.
    // Returns false if no writer finishes for a second, as in a signal handler that has interrupted all writers.
    template <class Fill> bool write(const Fill& fill) noexcept {
        const int buffer = claim();
        if (buffer < 0) return false;
        fill(buffer);
        select(buffer);
        return true;
    }

private:
    // The word present_ has the index of the selected buffer in the low three bits, and a sequence number in the rest.
    static constexpr std::uint64_t index_mask = 7;
    static int index_of(std::uint64_t selection) noexcept { return static_cast<int>(selection & index_mask); }

    // Returns a spare buffer that no other writer fills, or -1 if no writer finishes for about a second.
    [[gnu::noinline]] int claim() noexcept {
        const int buffer = claim_at_once();
        return buffer >= 0 ? buffer : claim_in_turn();
    }
    // Selects a claimed buffer. The compare-exchange pairs with the acquire load of present_ in read(). The release
    // store to claimed_ makes the previous buffer spare, and pairs with the compare-exchange in claim_at_once().
    [[gnu::noinline]] void select(int buffer) noexcept {
        std::uint64_t previous = present_.load();
        while (!present_.compare_exchange(
            previous, (previous & ~index_mask) + (index_mask + 1) + static_cast<std::uint64_t>(buffer))) {}
        if (index_of(previous) != initial_buffer) claimed_[index_of(previous)].store(0);
    }
    int claim_at_once() noexcept {
        for (int i = 0; i < spare_count; i++)
            if (claimed_[i].load(relaxed) == 0 && claimed_[i].compare_and_set(0, 1)) return i;
        return -1;
    }
    [[gnu::cold, gnu::noinline]] int claim_in_turn() noexcept {
        int buffer = -1;
        wait_for_turn([&] { return (buffer = claim_at_once()) < 0; }, [&] { return present_.load(relaxed); });
        return buffer;
    }

    atomic<std::uint8_t> claimed_[spare_count];
    atomic<std::uint64_t> present_{initial_buffer};
};

// Reads and writes a seqlock_value whose size is known only at run time. The memory of a seqlock_value is a
// buffer_selection, the words of the initial value, and the words of the spare buffers, in this order.
class seqlock_view {
public:
    seqlock_view(void* value, std::size_t bytes) noexcept
        : present_{*static_cast<buffer_selection*>(value)}, words_{(bytes + 7) / 8} {}

    // Reads the first `bytes` bytes of the value.
    [[gnu::always_inline]] void read(void* value, std::size_t bytes) const noexcept {
        present_.read([&](int buffer) {
            if (buffer == buffer_selection::initial_buffer)
                return static_cast<void>(std::memcpy(value, initial(), bytes));
            auto* to = static_cast<char*>(value);
            const atomic<std::uint64_t>* from = spare(buffer);
            for (std::size_t remaining = bytes; remaining != 0; remaining -= 8, to += 8) {
                const std::uint64_t word = from++->load();
                if (remaining < 8) return static_cast<void>(std::memcpy(to, &word, remaining));
                std::memcpy(to, &word, 8);
            }
        });
    }
    // Writes the first `bytes` bytes of the value and zeros the rest. Returns false if buffer_selection::write() does.
    [[gnu::always_inline]] bool write(const void* value, std::size_t bytes) const noexcept {
        return present_.write([&](int buffer) {
            const auto* from = static_cast<const char*>(value);
            std::size_t remaining = bytes;
            for (atomic<std::uint64_t>*to = spare(buffer), *const end = to + words_; to != end; to++) {
                std::uint64_t word = 0;
                if (remaining >= 8) std::memcpy(&word, from, 8), from += 8, remaining -= 8;
                else if (remaining != 0) std::memcpy(&word, from, remaining), remaining = 0;
                to->store(word);
            }
        });
    }
    std::uint64_t* initial() const noexcept { return reinterpret_cast<std::uint64_t*>(&present_ + 1); }

private:
    atomic<std::uint64_t>* spare(int buffer) const noexcept {
        return reinterpret_cast<atomic<std::uint64_t>*>(initial() + words_) + static_cast<std::size_t>(buffer) * words_;
    }

    buffer_selection& present_;
    const std::size_t words_;
};

template <std::size_t Bytes> class seqlock_value {
public:
    static constexpr std::size_t word_count = (Bytes + 7) / 8;
    struct words {
        std::uint64_t values[word_count]{};
    };
    static constexpr std::size_t initial_offset = sizeof(buffer_selection);

    constexpr seqlock_value() noexcept {}
    constexpr explicit seqlock_value(const words& initial) noexcept : initial_{initial} {}

    // Reads the first `bytes` bytes of the value.
    void read(void* value, std::size_t bytes = Bytes) const noexcept { view().read(value, bytes); }
    // Writes the first `bytes` bytes of the value and zeros the rest. Returns false if buffer_selection::write() does.
    bool write(const void* value, std::size_t bytes = Bytes) noexcept { return view().write(value, bytes); }

private:
    seqlock_view view() const noexcept { return {const_cast<buffer_selection*>(&present_), Bytes}; }

    buffer_selection present_;
    words initial_{};
    atomic<std::uint64_t> buffers_[buffer_selection::spare_count][word_count];
};

} // namespace core
} // namespace mpit
