// SPDX-License-Identifier: BSD-3-Clause
// The provenance of a control variable's value, which is the origin and the location of the setting. One word holds the
// origin and the location, for atomic accesses. A bit of the word is set if the library has assigned another value. An
// assignment of the library leaves the origin in the word, so that the setting is not applied again.
//
//   const descriptor::provenance held{variable.provenance_word.load()};   held.origin();  held.location();
#pragma once

#include <mpit/core/words.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

class provenance {
public:
    explicit constexpr provenance(std::uint64_t word = 0) noexcept : word_{word} {}
    // `location` is null or a text such as "my.conf:3", which must exist as long as the control variable.
    explicit provenance(mpit::origin source, const char* location = nullptr) noexcept
        : word_{static_cast<std::uint64_t>(source) << address_bits | reinterpret_cast<std::uint64_t>(location)} {}

    mpit::origin origin() const noexcept { return static_cast<mpit::origin>((word_ & ~assigned_bit) >> address_bits); }
    const char* location() const noexcept {
        return reinterpret_cast<const char*>(word_ & ((std::uint64_t{1} << address_bits) - 1));
    }
    // Returns the word, which is 0 if the value is the declared initial value.
    std::uint64_t word() const noexcept { return word_; }

    // Returns true if the library has assigned another value after the setting was applied.
    bool is_assigned() const noexcept { return (word_ & assigned_bit) != 0; }
    provenance assigned() const noexcept { return provenance{word_ | assigned_bit}; }
    provenance without_assignment() const noexcept { return provenance{word_ & ~assigned_bit}; }

private:
    static constexpr int address_bits = 56;
    static constexpr std::uint64_t assigned_bit = std::uint64_t{1} << 63;
    std::uint64_t word_;
};

} // namespace descriptor
} // namespace mpit
