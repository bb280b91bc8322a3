// SPDX-License-Identifier: BSD-3-Clause
// An array that only grows and never moves: pieces of doubling size behind a small directory (Dechev, Pirkelbauer and
// Stroustrup, OPODIS 2006). Reading an element costs two loads, from any thread and while others append.
//
//   append_array<record*> all;  atomic<record*>* element = all.ensure(7);   // null if memory is exhausted
#pragma once

#include <mpit/concurrency/arena.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

template <class Element, std::uint32_t FirstSize = 512> class append_array {
public:
    // Returns an element, after allocating its piece if necessary; null if memory is exhausted. A release store to the
    // element publishes what it refers to: it pairs with the acquire load of the element in get() and find().
    atomic<Element>* ensure(std::uint32_t index) noexcept {
        const location at = location_of(index);
        atomic<Element>* piece = pieces_[at.piece].load();
        if (piece == nullptr) piece = new_piece(at.piece);
        return piece == nullptr ? nullptr : piece + at.offset;
    }
    // Reads an element whose piece exists.
    Element at(std::uint32_t index) const noexcept {
        const location at = location_of(index);
        return pieces_[at.piece].load()[at.offset].load();
    }
    // Reads an element; zero if its piece does not exist or nothing was stored.
    Element find(std::uint32_t index) const noexcept {
        const location at = location_of(index);
        const atomic<Element>* piece = pieces_[at.piece].load();
        return piece == nullptr ? Element{} : piece[at.offset].load();
    }

private:
    static constexpr std::uint32_t first_size = FirstSize, piece_count = 23;
    struct location {
        std::uint32_t piece, offset;
    };
    // Piece k holds first_size << k elements.
    static location location_of(std::uint32_t index) noexcept {
        if (index < first_size) [[likely]]
            return {0, index}; // a predicted branch, so that the loads do not wait for the computation below
        const std::uint32_t shifted = index / first_size + 1;
        const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(shifted));
        return {piece, index - first_size * ((1u << piece) - 1)};
    }
    // Publishes a piece, unless another thread was faster: the compare-exchange pairs with the acquire loads of
    // pieces_.
    atomic<Element>* new_piece(std::uint32_t piece) noexcept {
        const std::size_t bytes = (std::size_t{first_size} << piece) * sizeof(atomic<Element>);
        void* memory = core::pages(bytes);
        if (memory == nullptr) return nullptr;
        auto* elements = static_cast<atomic<Element>*>(memory);
        if (pieces_[piece].compare_and_set(nullptr, elements)) return elements;
        core::release_memory(memory, bytes);
        return pieces_[piece].load();
    }

    atomic<atomic<Element>*> pieces_[piece_count];
};

} // namespace core
} // namespace mpit
