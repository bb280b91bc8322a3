// SPDX-License-Identifier: BSD-3-Clause
// An array that grows without moving its elements. The elements are in pieces, each twice as large as the piece before,
// and a small directory holds the addresses of the pieces (Dechev, Pirkelbauer and Stroustrup, OPODIS 2006). Any thread
// reads an element by two loads, even while other threads append.
//
//   append_array<record*> all;  atomic<record*>* element = all.ensure(7);   // null if memory is exhausted
#pragma once

#include <mpit/concurrency/arena.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

template <class Element, std::uint32_t FirstSize = 512> class append_array {
public:
    // Returns the address of an element, and allocates the piece that holds the element if necessary. Returns null if
    // memory is exhausted. A caller publishes an object by a release store of its address to the element. The store
    // pairs with the acquire load of the element in at() and find().
    atomic<Element>* ensure(std::uint32_t index) noexcept {
        const location at = location_of(index);
        atomic<Element>* piece = pieces_[at.piece].load();
        if (piece == nullptr) piece = new_piece(at.piece);
        return piece == nullptr ? nullptr : piece + at.offset;
    }
    // Reads an element of a piece that ensure() has allocated.
    Element at(std::uint32_t index) const noexcept {
        const location at = location_of(index);
        return pieces_[at.piece].load()[at.offset].load();
    }
    // Reads an element. Returns zero if nothing was stored in the element, or if no piece holds the element.
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
    // Piece number k holds first_size << k elements.
    static location location_of(std::uint32_t index) noexcept {
        if (index < first_size) [[likely]]
            return {0, index}; // predicted, so that the loads do not wait for the computation of the piece
        const std::uint32_t shifted = index / first_size + 1;
        const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(shifted));
        return {piece, index - first_size * ((1u << piece) - 1)};
    }
    // Allocates and publishes a piece, or returns the piece that a faster thread has published. The compare-exchange
    // pairs with the acquire loads of pieces_.
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
