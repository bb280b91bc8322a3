// SPDX-License-Identifier: BSD-3-Clause
// Resets, in the child of a fork, state owned by threads that the child does not have, so that the child can use
// everything; what those threads have counted stays.
//
//   pthread_atfork(&before_fork, nullptr, &in_child_of_fork);   // registered by code that reads the state of threads
#pragma once

#include <mpit/event/subscription.hpp>
#include <mpit/module/the_registry.hpp>

#include <pthread.h> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Runs in the child, as often as there are shared objects with these headers.
[[gnu::cold]] MPIT_MODULE_LOCAL inline void forget_other_threads(process_registry& registry) noexcept {
    const std::uint64_t mine = internal::detail::this_thread_identity();
    const internal::shard* known = internal::present_shard();
    const std::uint64_t previous = known == nullptr ? mine : known->thread();
    for (internal::shard* l = registry.shards.first.load(); l != nullptr; l = l->next()) {
        const std::uint64_t word = l->owner.load(), owner = internal::shard_owner::thread(word);
        const bool is_of_child = owner >> 32 == mine >> 32; // another handler of the fork may have started threads
        if (owner == previous) l->owner.store(internal::shard_owner::next(word, mine));
        if (owner == previous || is_of_child) continue;
        l->owner.store(internal::shard_owner::next(word, 0));
        registry.shards.forget_activity(*l);
    }
    registry.shards.readers_without_shard.store(0);
    registry.pending_trees.each([](pending_tree& a) { a.publishing_threads.store(0); });
    registry.tool_hooks.forget_other_threads(previous, mine);
    const auto forget_in = [](const internal::source_channel& source) {
        if (internal::instance_queue* queue = source.queue.load()) queue->forget_other_threads();
    };
    for (const internal::source_channel& own : registry.own_sources) forget_in(own);
    for (int i = registry.count(kind::source) - 1; i >= 0; i--)
        forget_in(static_cast<const source_record*>(registry.at(kind::source, i))->channel);
    for (int i = registry.count(kind::event) - 1; i >= 0; i--) {
        internal::event_channel& channel = static_cast<event_record*>(registry.at(kind::event, i))->channel;
        for (internal::subscription* l = channel.first.load(); l != nullptr; l = l->next) l->forget_other_threads();
    }
}

// A shard that another shared object found for this thread would be taken for one of another thread.
MPIT_MODULE_LOCAL inline void before_fork() noexcept { static_cast<void>(internal::own_shard_of_thread()); }
MPIT_MODULE_LOCAL inline void in_child_of_fork() noexcept {
    if (process_registry* registry = known_registry.load()) forget_other_threads(*registry);
}

} // namespace registry
} // namespace mpit
