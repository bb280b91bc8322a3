// Handles of info objects in 32 bits, for the INTEGER that Fortran has for them: the same slot and generation as in the 64
// bits of the handle, so that an INTEGER is checked as strictly. A slot of a low number has many generations and one of
// a high number few; four thousand million objects have had an INTEGER each before one would have to come again.
//
//   std::uint32_t integer = info_integer::of(handle);  info_integer::handle_of(integer) == handle
#pragma once

#include <mpit/session/slot_pool.hpp>

namespace mpit::inline v0_1::session {

// From the top: five bits that tell how many bits the number of the slot has, the generation, and the bits of that number
// behind its highest one. Numbers below 2^29, such as those of predefined handles, are no object's.
struct info_integer {
    static constexpr std::uint8_t tag = 0xd1; // of the handles
    static constexpr std::uint32_t none = 0;

    // The INTEGER of a handle; none where its slot has used up what fits.
    static constexpr std::uint32_t of(std::uint64_t handle) noexcept {
        const std::uint32_t slot = handle_word::slot(handle), width = width_of(slot), bits = bits_behind_highest(width);
        const std::uint64_t generation = handle >> handle_word::generation_shift & handle_word::last_generation;
        if (handle_word::tag(handle) != tag || handle_word::pool(handle) != 0 || width > widest) return none;
        if (generation == 0 || generation >> (shared_bits - bits) != 0) return none;
        return (width + first_class) << shared_bits | static_cast<std::uint32_t>(generation) << bits |
               (slot & ((1u << bits) - 1));
    }

    // The handle of an INTEGER; for what is none the handle of no object.
    static constexpr std::uint64_t handle_of(std::uint32_t integer) noexcept {
        constexpr std::uint64_t no_object = handle_word::make(tag, 0, 0, 0);
        if (integer >> shared_bits < first_class) return no_object;
        const std::uint32_t width = (integer >> shared_bits) - first_class, bits = bits_behind_highest(width);
        const std::uint32_t slot = (width == 0 ? 0 : 1u << bits) | (integer & ((1u << bits) - 1));
        const std::uint32_t generation = (integer & ((1u << shared_bits) - 1)) >> bits;
        return generation <= handle_word::last_generation ? handle_word::make(tag, generation, 0, slot) : no_object;
    }

    // Whether the next handle of the slot has one, too.
    static constexpr bool is_last(std::uint64_t handle) noexcept {
        return of(handle + (std::uint64_t{1} << handle_word::generation_shift)) == none;
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

} // namespace mpit::session
