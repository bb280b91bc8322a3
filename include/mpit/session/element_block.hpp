// SPDX-License-Identifier: BSD-3-Clause
// A block of elements of a performance variable. The library's current values (64-bit words) of a block's elements are
// loaded together. A library function that computes all values is therefore called once for each block, not once for
// each element. The handle's states are loaded before the library's values. The library's values are loaded only if an
// operation needs them. Blocks are on the stack, so that signal handlers can use them, too.
//
//   element_block block{variable, cell};   block.advance_to(0, count, state_of);   std::uint64_t word = block.word(0);
#pragma once

#include <mpit/concurrency/atomic_word_pair.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

class element_block {
public:
    static constexpr std::uint32_t capacity = 128;

    // Returns true if an operation that changes all elements is faster with blocks than with one element at a time.
    // Blocks are faster if the library has a function that returns the values of several elements together.
    static bool is_faster_for(const descriptor::performance& variable, std::uint32_t count) noexcept {
        return count > 1 && variable.operations->samples != nullptr;
    }
    element_block(descriptor::performance& variable, void* cell) noexcept : variable_{variable}, cell_{cell} {}
    element_block(const element_block&) = delete;

    // Calls `function(element, block)` for each of `count` elements until `function` returns false. `state_of(element)`
    // returns a reference to the handle's state of this element.
    template <class State, class Function>
    [[gnu::always_inline]] static bool for_each(descriptor::performance& variable, void* cell, std::uint32_t count,
                                                State state_of, Function function) noexcept {
        element_block block{variable, cell};
        for (std::uint32_t i = 0; i < count; i++) {
            block.advance_to(i, count, state_of);
            if (!function(i, block)) return false;
        }
        return true;
    }
    // Must be called before each of `count` elements is used, in ascending order from element 0. At the first element
    // of a block, advance_to() loads the states of all elements of the block.
    template <class State> void advance_to(std::uint32_t element, std::uint32_t count, State state_of) noexcept {
        if (element % capacity != 0) return;
        first_ = element;
        count_ = count - element < capacity ? count - element : capacity;
        has_words_ = false;
        for (std::uint32_t i = 0; i < count_; i++) {
            const core::word_pair state = state_of(element + i).load();
            values_[i] = state.value;
            flags_[i] = state.flags;
        }
    }
    // Returns the handle's state of the element. The state was loaded before the library's value of the element.
    core::word_pair state(std::uint32_t element) const noexcept {
        return {values_[element - first_], flags_[element - first_]};
    }
    std::uint64_t word(std::uint32_t element) noexcept { return words()[element - first_]; }
    // count() returns the number of elements in the block. values() and flags() return the values and the flags of the
    // handle's states, and words() returns the library's values.
    std::uint32_t count() const noexcept { return count_; }
    std::uint64_t* values() noexcept { return values_; }
    const std::uint64_t* flags() const noexcept { return flags_; }
    const std::uint64_t* words() noexcept {
        if (!has_words_) load_words();
        has_words_ = true;
        return words_;
    }

private:
    void load_words() noexcept {
        const descriptor::performance_operations& operations = *variable_.operations;
        if (operations.samples != nullptr) return operations.samples(variable_, cell_, first_, count_, words_);
        for (std::uint32_t i = 0; i < count_; i++) words_[i] = operations.sample(variable_, cell_, first_ + i);
    }

    descriptor::performance& variable_;
    void* cell_;
    std::uint32_t first_ = 0, count_ = 0;
    bool has_words_ = false;
    std::uint64_t values_[capacity], flags_[capacity]; // of the states; an array of word_pair would be zeroed first
    std::uint64_t words_[capacity];
};

} // namespace session
} // namespace mpit
