// SPDX-License-Identifier: BSD-3-Clause
// INTEGERs of info objects, which Fortran has instead of handles: assigned to an object on the first query, checked at
// any age, and never assigned to a second object.
//
//   std::uint32_t integer = integers.give(handle);  integers.handle_of(integer) == handle
//   integers.end(integer);
#pragma once

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/descriptor/handle_tag.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// The slot and the generation of a word of 64 bits in 32. From the top: five bits that tell how many bits the number of
// the slot has, the generation, and the bits of that number behind its highest one. A slot of a low number has many
// generations, one of a high number few: together there are three thousand million. Numbers below 2^29, such as those
// of predefined handles, belong to no object.
struct info_integer {
    static constexpr std::uint8_t tag = descriptor::handle_tag::info_integer;
    static constexpr std::uint32_t none = 0;

    // Returns none if the slot has used up what fits.
    static constexpr std::uint32_t of(std::uint64_t word) noexcept {
        const std::uint32_t slot = core::handle_word::slot(word), width = width_of(slot),
                            bits = bits_behind_highest(width);
        const std::uint64_t generation =
            word >> core::handle_word::generation_shift & core::handle_word::last_generation;
        if (core::handle_word::tag(word) != tag || width > widest) return none;
        if (generation == 0 || generation >> (shared_bits - bits) != 0) return none;
        return (width + first_class) << shared_bits | static_cast<std::uint32_t>(generation) << bits |
               (slot & ((1u << bits) - 1));
    }

    // For what is no INTEGER a word that no slot ever has.
    static constexpr std::uint64_t word_of(std::uint32_t integer) noexcept {
        constexpr std::uint64_t nobody = core::handle_word::make(tag, 0, 0);
        if (integer >> shared_bits < first_class) return nobody;
        const std::uint32_t width = (integer >> shared_bits) - first_class, bits = bits_behind_highest(width);
        const std::uint32_t slot = (width == 0 ? 0 : 1u << bits) | (integer & ((1u << bits) - 1));
        const std::uint32_t generation = (integer & ((1u << shared_bits) - 1)) >> bits;
        return generation <= core::handle_word::last_generation ? core::handle_word::make(tag, generation, slot)
                                                                : nobody;
    }

    // Whether the next word of the slot has none any more.
    static constexpr bool is_last(std::uint64_t word) noexcept {
        return of(word + (std::uint64_t{1} << core::handle_word::generation_shift)) == none;
    }

private:
    static constexpr std::uint32_t shared_bits = 27, first_class = 4, widest = 27;

    static constexpr std::uint32_t width_of(std::uint32_t slot) noexcept {
        return slot == 0 ? 0 : static_cast<std::uint32_t>(32 - __builtin_clz(slot));
    }
    static constexpr std::uint32_t bits_behind_highest(std::uint32_t width) noexcept {
        return width > 1 ? width - 1 : 0;
    }
};

class info_integers {
public:
    // None without memory, or where all have been used.
    std::uint32_t give(std::uint64_t handle) noexcept {
        std::uint64_t word = 0;
        slot* fresh = pool_.take(word);
        if (fresh == nullptr || info_integer::of(word) == info_integer::none) return info_integer::none;
        fresh->handle.store(handle);
        fresh->word.store(word);
        return info_integer::of(word);
    }
    // 0 for one that is ended or invented.
    std::uint64_t handle_of(std::uint32_t integer) noexcept {
        const std::uint64_t word = info_integer::word_of(integer);
        slot* found = pool_.find(word);
        if (found == nullptr) return 0;
        const std::uint64_t handle = found->handle.load();
        return found->word.load() == word ? handle : 0; // the slot may be another one's meanwhile
    }
    void end(std::uint32_t integer) noexcept {
        const std::uint64_t word = info_integer::word_of(integer);
        slot* found = pool_.find(word);
        if (found != nullptr && pool::close(*found, word) && !info_integer::is_last(word)) pool_.release(*found, word);
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
