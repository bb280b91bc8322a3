// SPDX-License-Identifier: BSD-3-Clause
// Placement new without <new>. The placement `operator new` of <new> is an inline function with default visibility: at
// -O0 a library exports it, a later library binds to it, and the loader then never unloads the first one.
//
//   auto* made = new (core::place{room}) record;
#pragma once

#include <mpit/config.hpp>

#include <cstddef>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// Aligned for the object that is made there; never null.
struct place {
    void* address;
};

} // namespace core
} // namespace mpit

// Throws nothing, takes no memory. Safe in a signal handler if the constructor is.
[[gnu::returns_nonnull]] MPIT_MODULE_LOCAL inline void* operator new(std::size_t, mpit::core::place place) noexcept {
    return place.address;
}
