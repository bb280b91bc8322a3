// SPDX-License-Identifier: BSD-3-Clause
// A pool of slots for handles. A slot never moves and stays allocated, so that a thread can safely check even a freed
// handle. A handle combines the index and the generation of a slot. A slot that has used all generations is retired.
//
//   std::uint64_t word;  auto* slot = pool.take(word);  slot->word.store(word);   pool.find(word) == slot
#pragma once

#include <mpit/concurrency/arena.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The word of a handle combines the tag of the handle's kind, the generation, and the index of the slot plus 2, so that
// 0 and 1 belong to no slot. The word of a handle is neither a number from 0 to 4095 nor an address.
struct handle_word {
    static constexpr int generation_shift = 32, tag_shift = 56;
    static constexpr std::uint32_t first_slot = 2, last_generation = (1u << 24) - 1;

    static constexpr std::uint64_t make(std::uint8_t tag, std::uint32_t generation, std::uint32_t slot) {
        return std::uint64_t{tag} << tag_shift | std::uint64_t{generation} << generation_shift | (slot + first_slot);
    }
    static constexpr std::uint8_t tag(std::uint64_t word) { return static_cast<std::uint8_t>(word >> tag_shift); }
    static constexpr std::uint32_t generation(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> generation_shift) & last_generation;
    }
    static constexpr std::uint32_t slot(std::uint64_t word) { return static_cast<std::uint32_t>(word) - first_slot; }
};

struct slot_header {
    atomic<std::uint64_t> word;      // the valid handle of the slot, or 0
    atomic<std::uint32_t> next_free; // the number of the next free slot plus 1, or 0 at the end of the free list
    std::uint32_t generation = 0;
    atomic<std::uint32_t> epoch; // the init/finalize epoch in which a tool created the handle
};

// The argument that selects the handles of all epochs in a function that frees handles. No epoch has this number.
inline constexpr std::uint32_t any_epoch = 0;
inline bool is_of_epoch(const slot_header& slot, std::uint32_t epoch) noexcept {
    return epoch == any_epoch || slot.epoch.load() == epoch;
}

// The slots of a pool without the type of their contents, so that this class is compiled once for all pools. Free slots
// are a Treiber stack (1986) with an ABA tag in the upper half of its head. Pieces double in size, as in append_array.
template <std::uint32_t FirstSize> class slot_storage {
public:
    constexpr slot_storage(std::uint8_t tag, std::size_t bytes_of_slot) noexcept
        : tag_{tag}, stride_{stride_of(bytes_of_slot)} {}

    // Takes a free slot, or adds a slot, and computes the word of the handle. The caller fills the slot and then stores
    // the word into the slot. Returns null if memory is exhausted.
    slot_header* take(std::uint64_t& word) noexcept {
        std::uint32_t number = 0;
        if (!pop(number) && !extend(number)) return nullptr;
        slot_header& slot = *slot_at(number);
        word = handle_word::make(tag_, ++slot.generation, number);
        return &slot;
    }
    // Makes a slot without a valid handle free again. The compare-exchange pairs with the acquire load in pop().
    void release(slot_header& slot, std::uint64_t word) noexcept {
        if (slot.generation >= handle_word::last_generation) return;
        std::uint64_t head = free_.load();
        do slot.next_free.store(static_cast<std::uint32_t>(head));
        while (!free_.compare_exchange(head, ((head >> 32) + 1) << 32 | (handle_word::slot(word) + 1)));
    }
    // Resets the pool and releases the memory of all slots. No thread may use the pool during the call.
    void release_all() noexcept {
        used_.store(0);
        ready_.store(0);
        free_.store(0);
        for (std::uint32_t piece = 0; piece < piece_count; piece++)
            if (char* memory = pieces_[piece].exchange(nullptr)) core::release_memory(memory, bytes_of(piece));
    }

protected:
    static constexpr std::uint32_t first_size = FirstSize, piece_count = 22;

    [[gnu::always_inline]] slot_header* slot_at(std::uint32_t number) const noexcept {
        // The processor predicts this branch, so that the load of pieces_[0] does not wait for the computation below.
        if (number < first_size) [[likely]]
            return reinterpret_cast<slot_header*>(pieces_[0].load() + number * stride_);
        const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(number / first_size + 1));
        const std::uint32_t offset = number - first_size * ((1u << piece) - 1);
        return reinterpret_cast<slot_header*>(pieces_[piece].load() + offset * stride_);
    }
    static constexpr std::size_t stride_of(std::size_t bytes_of_slot) noexcept {
        return (bytes_of_slot + 63) & ~std::size_t{63};
    }

    const std::uint8_t tag_;
    const std::size_t stride_;
    atomic<std::uint32_t> used_, ready_; // number of slots, and size of the first piece (0 until the piece exists)
    atomic<std::uint64_t> free_;         // an ABA tag, and the index of the first free slot plus 1
    atomic<char*> pieces_[piece_count];

private:
    std::size_t bytes_of(std::uint32_t piece) const noexcept { return (std::size_t{first_size} << piece) * stride_; }
    // Adds a slot. The compare-exchange of used_ publishes the piece, and pairs with the load in candidate_slot().
    bool extend(std::uint32_t& number) noexcept {
        for (number = used_.load();; number = used_.load()) {
            const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(number / first_size + 1));
            if (piece >= piece_count || (pieces_[piece].load() == nullptr && !add_piece(piece))) return false;
            if (used_.compare_and_set(number, number + 1)) return true;
        }
    }
    bool add_piece(std::uint32_t piece) noexcept {
        void* memory = core::pages(bytes_of(piece)); // a slot of zeros has no valid handle
        if (memory == nullptr) return false;
        if (!pieces_[piece].compare_and_set(nullptr, static_cast<char*>(memory)))
            core::release_memory(memory, bytes_of(piece));
        if (piece == 0) ready_.store(first_size); // release, pairs with the load of ready_ in candidate_slot()
        return true;
    }
    // Takes the first free slot. If another thread pops and pushes this slot meanwhile, the ABA tag changes.
    bool pop(std::uint32_t& number) noexcept {
        std::uint64_t head = free_.load();
        for (;;) {
            const auto first = static_cast<std::uint32_t>(head);
            if (first == 0) return false;
            number = first - 1;
            const std::uint32_t next = slot_at(number)->next_free.load();
            if (free_.compare_exchange(head, ((head >> 32) + 1) << 32 | next)) return true;
        }
    }
};

// The class `Slot` must be derived from slot_header.
template <class Slot, std::uint32_t FirstSize = 64> class slot_pool : public slot_storage<FirstSize> {
    using base = slot_storage<FirstSize>;
    using base::pieces_, base::ready_, base::tag_, base::used_;

public:
    constexpr explicit slot_pool(std::uint8_t tag) noexcept : base{tag, sizeof(Slot)} {}

    Slot* take(std::uint64_t& word) noexcept { return static_cast<Slot*>(base::take(word)); }
    // Returns the slot of a valid handle, or null. The acquire load pairs with the store that makes the handle valid.
    Slot* find(std::uint64_t word) noexcept {
        Slot* slot = candidate_slot(word);
        return slot != nullptr && slot->word.load() == word ? slot : nullptr;
    }
    // Returns the slot whose index is in the word, or null. The caller must check the slot's word after using the slot.
    [[gnu::always_inline]] Slot* candidate_slot(std::uint64_t word) const noexcept {
        const std::uint32_t number = handle_word::slot(word);
        if (!ready_.load_exceeds(number)) [[unlikely]]
            return number < used_.load() ? slot_at(number) : nullptr;
        char* const first = pieces_[0].load();
        if (first == nullptr) __builtin_unreachable();
        return reinterpret_cast<Slot*>(first + number * base::stride_of(sizeof(Slot)));
    }
    // Returns the slot of a handle that is valid or was valid before.
    Slot& slot_of(std::uint64_t word) noexcept { return *slot_at(handle_word::slot(word)); }
    // Returns true if the handle `word`, which may be invalid or of another pool, belongs to this slot.
    bool is_of(const Slot& slot, std::uint64_t word) const noexcept {
        return handle_word::tag(word) == tag_ && handle_word::slot(word) < used_.load() &&
               slot_at(handle_word::slot(word)) == &slot;
    }
    // Invalidates a handle. If several threads close the handle at once, only one call returns true.
    static bool close(Slot& slot, std::uint64_t word) noexcept { return slot.word.compare_and_set(word, 0); }
    // Calls `visit(slot, word)` for every valid handle. A thread that creates a handle and a thread that ends a session
    // or an epoch use the Dekker pattern with seq_cst operations. The creating thread stores the word of the handle and
    // then reads whether the session and the epoch have ended. The ending thread stores the end of the session or epoch
    // and then reads the words of all slots here. Therefore the creating thread reads that the session or the epoch has
    // ended, or the ending thread finds the handle.
    template <class Visit> void each(Visit visit) noexcept {
        each_slot(used_.load(core::seq_cst), [&](Slot& slot) {
            const std::uint64_t word = slot.word.load(core::seq_cst);
            if (word != 0) visit(slot, word);
        });
    }
    // Returns the number of all slots, free or not. each_slot() visits the first `count` slots.
    std::uint32_t slot_count() const noexcept { return used_.load(); }
    template <class Visit> void each_slot(std::uint32_t count, Visit visit) noexcept {
        for (std::uint32_t number = 0; number < count; number++) visit(*slot_at(number));
    }

private:
    [[gnu::always_inline]] Slot* slot_at(std::uint32_t number) const noexcept {
        return static_cast<Slot*>(base::slot_at(number));
    }
};

} // namespace core
} // namespace mpit
