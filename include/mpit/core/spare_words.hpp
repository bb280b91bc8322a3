// SPDX-License-Identifier: BSD-3-Clause
// Reserved words for members that a later version adds to a shared structure without a change of its layout. They are
// zero; a version without the member neither reads nor writes them. docs/layout.md has the rules.
//
//   core::spare_words<2> spare;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

template <std::size_t Count> struct spare_words {
    std::uint64_t words[Count]{};
};

} // namespace core
} // namespace mpit
