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

inline constexpr memory_model both_memories[] = {sequentially_consistent, x86};

} // namespace model
