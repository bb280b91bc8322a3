// SPDX-License-Identifier: BSD-3-Clause
// Slots for handles. They never move and are never released, so that a handle of any age can be checked safely. A
// handle is the number of a slot with the slot's generation; a slot whose generations are used up is retired.
//
//   std::uint64_t word;  auto* slot = pool.take(word);  slot->word.store(word);   pool.find(word) == slot
#pragma once

#include <mpit/concurrency/arena.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using core::atomic;

// The value of a handle: what it is, the generation, the size class, the slot. It is never 0 to 4095, nor an address. Slots count
// from 2, so that 0 and 1 are of no slot.
struct handle_word {
    static constexpr int pool_shift = 28, generation_shift = 32, tag_shift = 56;
    static constexpr std::uint32_t slot_mask = (1u << pool_shift) - 1, first_slot = 2, last_generation = (1u << 24) - 1;

    static constexpr std::uint64_t make(std::uint8_t tag, std::uint32_t generation, std::uint32_t pool,
                                        std::uint32_t slot) {
        return std::uint64_t{tag} << tag_shift | std::uint64_t{generation} << generation_shift |
               std::uint64_t{pool} << pool_shift | ((slot + first_slot) & slot_mask);
    }
    static constexpr std::uint8_t tag(std::uint64_t word) { return static_cast<std::uint8_t>(word >> tag_shift); }
    static constexpr std::uint32_t generation(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> generation_shift) & last_generation;
    }
    static constexpr std::uint32_t pool(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> pool_shift) & 15;
    }
    static constexpr std::uint32_t slot(std::uint64_t word) {
        return (static_cast<std::uint32_t>(word) - first_slot) & slot_mask;
    }
};

struct slot_header {
    atomic<std::uint64_t> word; // the handle that is valid for the slot, or 0, or that it waits to be taken
    atomic<std::uint32_t> next_free;
    std::uint32_t generation = 0;
    atomic<std::uint32_t> epoch; // of the tool interface in which it was opened
};

// Stands for all epochs where handles are freed; no epoch has this number.
inline constexpr std::uint32_t every_epoch = 0;
inline bool is_of_epoch(const slot_header& slot, std::uint32_t epoch) noexcept {
    return epoch == every_epoch || slot.epoch.load() == epoch;
}

// The slots of a pool whatever they hold, so that this is compiled once for all pools.
template <std::uint32_t FirstSize> class slot_places {
public:
    constexpr slot_places(std::uint8_t tag, std::uint32_t pool, std::size_t stride) noexcept
        : tag_{tag}, pool_{pool}, stride_{stride} {}

    // Makes a closed slot available again.
    [[gnu::always_inline]] void release(slot_header& slot, std::uint64_t word) noexcept {
        if (slot.generation >= handle_word::last_generation) return;
        if (spare_.load() != 0) return push(slot, handle_word::slot(word));
        slot.word.store(waiting);
        spare_.store(handle_word::slot(word) + 1);
    }
    // Resets the pool. Not to be called while it is used.
    void release_all() noexcept {
        used_.store(0);
        ready_.store(0);
        free_.store(0);
        spare_.store(0);
        for (std::uint32_t piece = 0; piece < piece_count; piece++)
            if (char* memory = pieces_[piece].exchange(nullptr)) core::release_memory(memory, bytes_of(piece));
    }

protected:
    static constexpr std::uint32_t first_size = FirstSize, piece_count = 22;

    [[gnu::always_inline]] slot_header* place(std::uint32_t number) const noexcept {
        // A processor foresees the branch, and does not wait for what a larger number takes.
        if (number < first_size) [[likely]]
            return first_place(number);
        const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(number / first_size + 1));
        const std::uint32_t offset = number - first_size * ((1u << piece) - 1);
        return reinterpret_cast<slot_header*>(pieces_[piece].load() + offset * stride_);
    }
    // One of the first slots, which is there.
    [[gnu::always_inline]] slot_header* first_place(std::uint32_t number) const noexcept {
        return reinterpret_cast<slot_header*>(pieces_[0].load() + number * stride_);
    }
    [[gnu::always_inline]] bool take_number(std::uint32_t& number) noexcept {
        return take_spare(number) || pop(number) || take_other(number);
    }
    // The handle that a taken slot becomes.
    [[gnu::always_inline]] std::uint64_t next_word(slot_header& slot, std::uint32_t number) const noexcept {
        return handle_word::make(tag_, ++slot.generation, pool_, number);
    }

    static constexpr std::uint64_t waiting = 1; // no handle

    const std::uint8_t tag_;
    const std::uint32_t pool_;
    const std::size_t stride_;
    atomic<std::uint32_t> used_, ready_; // how many slots there are, and of them the first piece's once it is there
    atomic<std::uint64_t> free_;
    atomic<std::uint32_t> spare_, next_candidate_; // the spare one's number + 1
    atomic<char*> pieces_[piece_count];

private:
    std::size_t bytes_of(std::uint32_t piece) const noexcept { return (std::size_t{first_size} << piece) * stride_; }
    bool extend(std::uint32_t& number) noexcept {
        for (number = used_.load();; number = used_.load()) {
            const auto piece = static_cast<std::uint32_t>(31 - __builtin_clz(number / first_size + 1));
            if (piece >= piece_count || (pieces_[piece].load() == nullptr && !add_piece(piece))) return false;
            if (used_.replace(number, number + 1)) return true;
        }
    }
    bool add_piece(std::uint32_t piece) noexcept {
        void* memory = core::pages(bytes_of(piece)); // zeros are a closed slot
        if (memory == nullptr) return false;
        if (!pieces_[piece].replace(nullptr, static_cast<char*>(memory))) core::release_memory(memory, bytes_of(piece));
        if (piece == 0) ready_.store(first_size);
        return true;
    }

    // One slot that is free waits beside the stack, as its word says, and is taken by one locked instruction: what opens and
    // ends a handle again and again needs one for each. Of two threads that give back at once one may forget its slot.
    [[gnu::always_inline]] bool take_spare(std::uint32_t& number) noexcept {
        const std::uint32_t kept = spare_.load();
        if (kept == 0) return false;
        number = kept - 1;
        if (!place(number)->word.replace(waiting, 0)) {
            spare_.replace(kept, 0);
            return false;
        }
        spare_.store(0);
        return true;
    }
    [[gnu::noinline]] MPIT_MODULE_LOCAL bool take_other(std::uint32_t& number) noexcept {
        return find_forgotten(number) || extend(number);
    }
    // Visits some slots at a time: the forgotten ones remain a part of all.
    bool find_forgotten(std::uint32_t& number) noexcept {
        const std::uint32_t used = used_.load();
        for (std::uint32_t i = 0; i < 4 && i < used; i++) {
            number = next_candidate_.load(core::relaxed) % used;
            next_candidate_.store(number + 1, core::relaxed);
            if (place(number)->word.load() == waiting && place(number)->word.replace(waiting, 0)) return true;
        }
        return false;
    }

    // The other free slots are a stack; the upper half of its head counts the changes.
    void push(slot_header& slot, std::uint32_t number) noexcept {
        std::uint64_t head = free_.load();
        do slot.next_free.store(static_cast<std::uint32_t>(head));
        while (!free_.compare_exchange(head, ((head >> 32) + 1) << 32 | (number + 1)));
    }
    [[gnu::always_inline]] bool pop(std::uint32_t& number) noexcept {
        std::uint64_t head = free_.load();
        for (;;) {
            const auto first = static_cast<std::uint32_t>(head);
            if (first == 0) return false;
            number = first - 1;
            const std::uint32_t next = place(number)->next_free.load();
            if (free_.compare_exchange(head, ((head >> 32) + 1) << 32 | next)) return true;
        }
    }
};

// `Slot` begins with a slot_header; each has `extra_bytes` behind it.
template <class Slot, std::uint32_t FirstSize = 64, class Places = slot_places<FirstSize>> class slot_pool : public Places {
    using places = Places;
    using places::first_size, places::waiting, places::pieces_, places::ready_, places::stride_, places::tag_, places::used_;

public:
    constexpr slot_pool(std::uint8_t tag, std::uint32_t pool, std::size_t extra_bytes) noexcept
        : places{tag, pool, stride_with(extra_bytes)} {}

    // A free slot with the word that it will have once it is filled; null without memory.
    Slot* take(std::uint64_t& word) noexcept {
        std::uint32_t number = 0;
        if (!places::take_number(number)) return nullptr;
        Slot& slot = *place(number);
        word = places::next_word(slot, number);
        return &slot;
    }
    // The slot of a valid handle, or null. The word of a slot tells the pool as well.
    Slot* find(std::uint64_t word) noexcept {
        Slot* slot = place_for(word);
        return slot != nullptr && slot->word.load() == word ? slot : nullptr;
    }
    // The slot that the word would be of if it were valid, or null. The caller checks the slot's word after its use.
    [[gnu::always_inline]] Slot* place_for(std::uint64_t word) const noexcept {
        const std::uint32_t number = handle_word::slot(word);
        if (number >= ready_.load()) [[unlikely]]
            return number < used_.load() ? place(number) : nullptr;
        return reinterpret_cast<Slot*>(pieces_[0].load() + number * stride_);
    }
    // Whether it would be of one of the first slots.
    static bool is_first(std::uint64_t word) noexcept { return handle_word::slot(word) < first_size; }
    // The same for one of the first slots, in fewer instructions; null for every other one. The extra bytes are those of the pool.
    template <std::size_t ExtraBytes> [[gnu::always_inline]] Slot* first_place_for(std::uint64_t word) const noexcept {
        const std::uint32_t number = handle_word::slot(word);
        if (!ready_.exceeds(number)) [[unlikely]]
            return nullptr;
        Slot* const slot = reinterpret_cast<Slot*>(pieces_[0].load() + number * stride_with(ExtraBytes));
        if (slot == nullptr) __builtin_unreachable();
        return slot;
    }
    // The slot of a handle that was valid once.
    Slot& slot_of(std::uint64_t word) noexcept { return *place(handle_word::slot(word)); }
    // Whether the slot has had the handle; of a word that may be another pool's.
    bool is_of(const Slot& slot, std::uint64_t word) const noexcept {
        return handle_word::tag(word) == tag_ && handle_word::slot(word) < used_.load() &&
               place(handle_word::slot(word)) == &slot;
    }
    // Ends the handle. Returns true to one of several callers.
    static bool close(Slot& slot, std::uint64_t word) noexcept { return slot.word.replace(word, 0); }
    // Calls `visit(slot, word)` for every open handle.
    template <class Visit> void each(Visit visit) noexcept {
        each_slot(used_.load(), [&](Slot& slot) {
            const std::uint64_t word = slot.word.load();
            if (word > waiting) visit(slot, word);
        });
    }
    // How many slots there are, open or not, and a visit of the first ones.
    std::uint32_t slot_count() const noexcept { return used_.load(); }
    template <class Visit> void each_slot(std::uint32_t count, Visit visit) noexcept {
        for (std::uint32_t number = 0; number < count; number++) visit(*place(number));
    }

private:
    static constexpr std::size_t stride_with(std::size_t extra_bytes) noexcept {
        return (sizeof(Slot) + extra_bytes + 63) & ~std::size_t{63};
    }
    [[gnu::always_inline]] Slot* place(std::uint32_t number) const noexcept {
        return static_cast<Slot*>(places::place(number));
    }
};

} // namespace session
} // namespace mpit
