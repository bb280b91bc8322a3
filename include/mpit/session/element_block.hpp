// SPDX-License-Identifier: BSD-3-Clause
// Some elements of a performance variable. Their words are taken together, so that an operation on a handle with n
// elements takes n steps also where the library computes all of them in one. The states are loaded before the words, as
// an element alone does, and the words only if an element needs its own. It is on the stack, also in signal handlers.
//
//   element_block::for_each(variable, cell, count, state_of, [&](std::uint32_t i, element_block& block) { return block.word(i) != 0; });
#pragma once

#include <mpit/concurrency/double_word.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

class element_block {
public:
    static constexpr std::uint32_t most = 128;

    // Whether a change of all elements takes fewer steps with it: the variable has more than one element, and no marks,
    // and gives their words together. A read always does.
    static bool is_of(const descriptor::performance& variable, std::uint32_t count) noexcept {
        return count > 1 && variable.operations->samples != nullptr;
    }
    element_block(descriptor::performance& variable, void* cell) noexcept : variable_{variable}, cell_{cell} {}
    element_block(const element_block&) = delete;

    // Calls `function(element, block)` for each element of `count`, until it answers false. `state_of(element)` is the
    // state of one.
    template <class State, class Function>
    [[gnu::always_inline]] static bool for_each(descriptor::performance& variable, void* cell, std::uint32_t count,
                                                State state_of, Function function) noexcept {
        element_block block{variable, cell};
        for (std::uint32_t i = 0; i < count; i++) {
            block.come_to(i, count, state_of);
            if (!function(i, block)) return false;
        }
        return true;
    }
    // Before the use of an element of `count`: one after the other, from 0.
    template <class State> void come_to(std::uint32_t element, std::uint32_t count, State state_of) noexcept {
        if (element % most != 0) return;
        first_ = element;
        count_ = count - element < most ? count - element : most;
        has_words_ = false;
        for (std::uint32_t k = 0; k < count_; k++) {
            const core::word_pair seen = state_of(element + k).load();
            values_[k] = seen.value;
            flags_[k] = seen.flags;
        }
    }
    // The state of an element as it was before its word.
    core::word_pair state(std::uint32_t element) const noexcept {
        return {values_[element - first_], flags_[element - first_]};
    }
    std::uint64_t word(std::uint32_t element) noexcept { return words()[element - first_]; }
    // All of the block, for loops over them: values and flags of the states, and words.
    std::uint32_t count() const noexcept { return count_; }
    std::uint64_t* values() noexcept { return values_; }
    const std::uint64_t* flags() const noexcept { return flags_; }
    const std::uint64_t* words() noexcept {
        if (!has_words_) take_words();
        has_words_ = true;
        return words_;
    }

private:
    void take_words() noexcept {
        const descriptor::performance_operations& operations = *variable_.operations;
        if (operations.samples != nullptr) return operations.samples(variable_, cell_, first_, count_, words_);
        for (std::uint32_t k = 0; k < count_; k++) words_[k] = operations.sample(variable_, cell_, first_ + k);
    }

    descriptor::performance& variable_;
    void* cell_;
    std::uint32_t first_ = 0, count_ = 0;
    bool has_words_ = false;
    std::uint64_t values_[most], flags_[most]; // of the states; a pair would be filled with zeros first
    std::uint64_t words_[most];
};

} // namespace session
} // namespace mpit
