// What the scenarios share.
#pragma once

#include "../catch.hpp"
#include "explorer.hpp"

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/shard_walks.hpp>

namespace model {

// The instrumentation is for the explorer: a library that is made for ThreadSanitizer has whole fences for light ones.
static_assert(!MPIT_THREAD_SANITIZER);

// To be called by scenarios whose fibers allocate.
inline void keep_allocations() noexcept {
    keep(&mpit::core::allocations_left, sizeof mpit::core::allocations_left);
    call(mpit::core::allocations_left, "allocations_left");
}

// To be called by scenarios whose fibers ask for their shard, if there are none.
inline void keep_shards() noexcept {
    keep(&mpit::core::shards, sizeof mpit::core::shards);
    call(mpit::core::shards, "shards");
}

// What the sessions of the library use besides themselves: memory, and a shard for each thread.
inline void keep_what_sessions_use() noexcept {
    keep_allocations();
    keep_shards();
    keep_for_each_fiber(&mpit::core::this_thread_shard, sizeof mpit::core::this_thread_shard);
}

// The memories under which a program explores its scenarios. For that of C++20 it is compiled so that the explorer sees
// accesses to plain memory.
#if defined(MPIT_MODEL_CXX20)
inline constexpr memory_model explored_memories[] = {cxx20};
#else
inline constexpr memory_model explored_memories[] = {sequentially_consistent, x86};
#endif
inline constexpr memory_model all_memories[] = {sequentially_consistent, x86, cxx20};
// For tests that name the memory.
constexpr bool explores(memory_model memory) noexcept {
    for (const memory_model each : explored_memories)
        if (each == memory) return true;
    return false;
}

// What a scenario says of a mutant; see weakening. A test of mutants asks finds_mutants() first.
template <class Scenario> std::string mistake_of_mutant(const weakening& mutant, options with = {cxx20}) {
    with.memory = cxx20;
    with.mutant = mutant;
    return explore<Scenario>(("mutant: " + std::string(mutant.function)).c_str(), with).mistake;
}
inline bool finds_mutants() noexcept { return explores(cxx20) && finds_races(); }

// The bounds of a search under the memory of C++20, which has more of everything; the long tests go further.
inline options with_bounds(options of, int switches, int older) noexcept {
    if (of.memory != cxx20) return of;
    const int more = is_long() ? 1 : 0;
    of.most_switches = switches == no_bound ? no_bound : switches + more;
    of.most_older = older == no_bound ? no_bound : older + more;
    return of;
}

// Bounds of the memory of C++20 alone; see with_bounds().
inline options bounded(int switches, int older = no_bound, options of = {}) noexcept {
    of.most_switches = switches;
    of.most_older = older;
    return of;
}
inline constexpr options waiting{.allows_waiting = true};

// Checks that no exploration of a scenario under the memories of the program finds a mistake, and the number of
// outcomes, where it is given.
template <class Scenario> void explore_all(const char* name, const options& with = {}, std::size_t outcomes = 0) {
    for (const auto memory : explored_memories) {
        if (with.splits_plain_accesses && memory == cxx20) continue;
        options here = with;
        here.memory = memory;
        here.most_switches = here.most_older = no_bound;
        const auto all = explore<Scenario>(name, with_bounds(here, with.most_switches, with.most_older));
        CHECK(all.mistake == "");
        if (outcomes != 0) CHECK(all.outcomes.size() == outcomes);
    }
}
template <class Scenario> void explore_all(const char* name, std::size_t outcomes) {
    explore_all<Scenario>(name, {}, outcomes);
}

} // namespace model
