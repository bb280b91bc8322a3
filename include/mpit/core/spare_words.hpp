// SPDX-License-Identifier: BSD-3-Clause
// Reserved words in a structure that several versions of mpit share. A later version may use a reserved word for a new
// member. Every version sets reserved words to zero, and older versions ignore the new member (docs/CONTRIBUTING.md).
//
//   core::spare_words<2> spare;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

template <std::size_t Count> struct spare_words {
    std::uint64_t words[Count]{};
};

} // namespace core
} // namespace mpit
