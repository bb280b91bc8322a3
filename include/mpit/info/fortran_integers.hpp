// SPDX-License-Identifier: BSD-3-Clause
// Fortran identifies an info object by an INTEGER instead of a handle. An INTEGER is assigned to an info object when
// the INTEGER is first queried. An INTEGER can be checked at any time, and is never assigned to a second object.
//
//   std::uint32_t integer = integers.give(handle);  integers.handle_of(integer) == handle
//   integers.end(integer);
#pragma once

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/descriptor/handle_tag.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// Encodes the slot index and the generation of a handle word in an INTEGER of 32 bits. The highest five bits contain
// the bit width of the slot index. The lowest bits contain the slot index without its highest 1 bit. The bits in the
// middle contain the generation. A low slot index leaves more bits for the generation than a high slot index. All slots
// together have 3,000 million INTEGERs. INTEGERs below 2^29, such as those of MPI_INFO_NULL and MPI_INFO_ENV, belong to
// no slot.
struct info_integer {
    static constexpr std::uint8_t tag = descriptor::handle_tag::info_integer;
    static constexpr std::uint32_t none = 0;

    // Returns the INTEGER of a handle word, or none if the generation or the slot index needs too many bits.
    static constexpr std::uint32_t of(std::uint64_t word) noexcept {
        const std::uint32_t slot = core::handle_word::slot(word), width = width_of(slot),
                            bits = bits_below_highest(width);
        const std::uint64_t generation =
            word >> core::handle_word::generation_shift & core::handle_word::last_generation;
        if (core::handle_word::tag(word) != tag || width > max_width) return none;
        if (generation == 0 || generation >> (shared_bits - bits) != 0) return none;
        return (width + first_class) << shared_bits | static_cast<std::uint32_t>(generation) << bits |
               (slot & ((1u << bits) - 1));
    }

    // Returns the handle word of an INTEGER. If no object has the INTEGER, returns a word that no slot ever has.
    static constexpr std::uint64_t word_of(std::uint32_t integer) noexcept {
        constexpr std::uint64_t invalid = core::handle_word::make(tag, 0, 0);
        if (integer >> shared_bits < first_class) return invalid;
        const std::uint32_t width = (integer >> shared_bits) - first_class, bits = bits_below_highest(width);
        const std::uint32_t slot = (width == 0 ? 0 : 1u << bits) | (integer & ((1u << bits) - 1));
        const std::uint32_t generation = (integer & ((1u << shared_bits) - 1)) >> bits;
        return generation <= core::handle_word::last_generation ? core::handle_word::make(tag, generation, slot)
                                                                : invalid;
    }

    // Returns true if the slot must not be used again, because the next handle word of the slot has no INTEGER.
    static constexpr bool is_last(std::uint64_t word) noexcept {
        return of(word + (std::uint64_t{1} << core::handle_word::generation_shift)) == none;
    }

private:
    static constexpr std::uint32_t shared_bits = 27, first_class = 4, max_width = 27;

    static constexpr std::uint32_t width_of(std::uint32_t slot) noexcept {
        return slot == 0 ? 0 : static_cast<std::uint32_t>(32 - __builtin_clz(slot));
    }
    static constexpr std::uint32_t bits_below_highest(std::uint32_t width) noexcept {
        return width > 1 ? width - 1 : 0;
    }
};

class info_integers {
public:
    // Assigns an INTEGER to a handle. Returns none if memory is exhausted or all INTEGERs are used up.
    std::uint32_t give(std::uint64_t handle) noexcept {
        std::uint64_t word = 0;
        slot* new_slot = pool_.take(word);
        if (new_slot == nullptr || info_integer::of(word) == info_integer::none) return info_integer::none;
        new_slot->handle.store(handle);
        new_slot->word.store(word);
        return info_integer::of(word);
    }
    // Returns the handle of an INTEGER, or 0 if the INTEGER is invalid. The acquire loads pair with the release stores
    // in give(). `word` is loaded after `handle`. If `word` has changed, the slot meanwhile belongs to a new INTEGER.
    std::uint64_t handle_of(std::uint32_t integer) noexcept {
        const std::uint64_t word = info_integer::word_of(integer);
        slot* const assigned = pool_.find(word);
        if (assigned == nullptr) return 0;
        const std::uint64_t handle = assigned->handle.load();
        return assigned->word.load() == word ? handle : 0;
    }
    void end(std::uint32_t integer) noexcept {
        const std::uint64_t word = info_integer::word_of(integer);
        slot* const ended = pool_.find(word);
        if (ended != nullptr && pool::close(*ended, word) && !info_integer::is_last(word)) pool_.release(*ended, word);
    }

private:
    struct slot : core::slot_header {
        core::atomic<std::uint64_t> handle;
    };
    using pool = core::slot_pool<slot>;

    pool pool_{info_integer::tag};
};

} // namespace session
} // namespace mpit
