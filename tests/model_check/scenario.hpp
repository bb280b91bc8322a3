// What the scenarios share.
#pragma once

#include "../catch.hpp"
#include "explorer.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/thread_shards.hpp>

namespace model {

// To be called by scenarios whose fibers allocate.
inline void keep_allocations() noexcept {
    keep(&mpit::core::allocations_left, sizeof mpit::core::allocations_left);
    call(mpit::core::allocations_left, "allocations_left");
}

// To be called by scenarios whose fibers ask for their shard, if there are none.
inline void keep_shards() noexcept {
    keep(&mpit::internal::shards, sizeof mpit::internal::shards);
    call(mpit::internal::shards, "shards");
}

// A program explores its scenarios either under the first two memories or under that of C++20, for which it is compiled so that
// the explorer sees accesses to plain memory. These make stacks, and so states, differ more.
#ifdef MPIT_MODEL_CXX20
inline constexpr memory_model both_memories[] = {cxx20};
#else
inline constexpr memory_model both_memories[] = {sequentially_consistent, x86};
#endif
inline constexpr memory_model all_memories[] = {sequentially_consistent, x86, cxx20};
// For tests that name the memory.
constexpr bool explores(memory_model memory) noexcept {
    for (const memory_model each : both_memories)
        if (each == memory) return true;
    return false;
}

} // namespace model
