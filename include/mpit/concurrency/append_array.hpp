// SPDX-License-Identifier: BSD-3-Clause
// An array that only grows and never moves: pieces of doubling size behind a small directory. Reading an element costs
// two loads, from any thread and while others append.
//
//   append_array<record*> all;  atomic<record*>* place = all.place(7);   // null without memory
#pragma once

#include <mpit/concurrency/arena.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

template <class Element, std::uint32_t FirstSize = 512> class append_array {
public:
    // The place of an element, with the memory for it; null if there is none.
    atomic<Element>* place(std::uint32_t index) noexcept {
        const position p = position_of(index);
        atomic<Element>* piece = pieces_[p.piece].load();
        if (piece == nullptr) piece = new_piece(p.piece);
        return piece == nullptr ? nullptr : piece + p.offset;
    }
    // An element that is there.
    Element get(std::uint32_t index) const noexcept {
        const position p = position_of(index);
        return pieces_[p.piece].load()[p.offset].load();
    }
    // An element that may be there, or the zero of its type.
    Element find(std::uint32_t index) const noexcept {
        const position p = position_of(index);
        const atomic<Element>* piece = pieces_[p.piece].load();
        return piece == nullptr ? Element{} : piece[p.offset].load();
    }

private:
    static constexpr std::uint32_t first_size = FirstSize, piece_count = 23;
    struct position {
        std::uint32_t piece, offset;
    };
    // Piece k holds first_size << k elements.
    static position position_of(std::uint32_t index) noexcept {
        if (index < first_size) [[likely]]
            return {0, index}; // foreseen, so that nothing waits for what a larger one takes
        const std::uint32_t shifted = index / first_size + 1;
        const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(shifted));
        return {piece, index - first_size * ((1u << piece) - 1)};
    }
    atomic<Element>* new_piece(std::uint32_t piece) noexcept {
        const std::size_t bytes = (std::size_t{first_size} << piece) * sizeof(atomic<Element>);
        void* memory = core::pages(bytes);
        if (memory == nullptr) return nullptr;
        auto* made = static_cast<atomic<Element>*>(memory);
        if (pieces_[piece].replace(nullptr, made)) return made;
        core::release_memory(memory, bytes);
        return pieces_[piece].load();
    }

    atomic<atomic<Element>*> pieces_[piece_count];
};

} // namespace core
} // namespace mpit
