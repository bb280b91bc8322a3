// SPDX-License-Identifier: BSD-3-Clause
// The origin of a control variable's value: who set it and where, in one word, so that it is read and written whole.
// One bit tells that the library has assigned another value since; the origin stays, so that the same setting is not
// applied again.
//
//   const descriptor::provenance from{variable.from.load()};   from.origin();  from.place();
#pragma once

#include <mpit/core/words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

class provenance {
public:
    explicit constexpr provenance(std::uint64_t word = 0) noexcept : word_{word} {}
    // The place stays as long as the variable is loaded; null if nothing need be said.
    explicit provenance(mpit::origin source, const char* place = nullptr) noexcept
        : word_{static_cast<std::uint64_t>(source) << address_bits | reinterpret_cast<std::uint64_t>(place)} {}

    mpit::origin origin() const noexcept { return static_cast<mpit::origin>((word_ & ~assigned_bit) >> address_bits); }
    const char* place() const noexcept {
        return reinterpret_cast<const char*>(word_ & ((std::uint64_t{1} << address_bits) - 1));
    }
    // 0 for a value of the library's own.
    std::uint64_t word() const noexcept { return word_; }

    // Whether the library has assigned another value since.
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
