// SPDX-License-Identifier: BSD-3-Clause
// The registrar publishes pending trees as soon as a tool has initialized the interface. Every shared object with shims
// can be the registrar; when it is unloaded, another one takes over.
//
//   become_registrar(*registry);    // when it is loaded
//   open_to_tools(*registry);   // at the first MPI_T_init_thread: publishes all pending trees
#pragma once

#include <mpit/config/lost_values.hpp>
#include <mpit/event/subscription.hpp>
#include <mpit/module/publish_pending.hpp>
#include <mpit/module/the_registry.hpp>

#include <pthread.h> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Resets, in the child of a fork, state owned by threads that the child does not have, so that the child can use
// everything; what those threads have counted stays. Runs as often as there are shared objects with these headers.
[[gnu::cold]] inline void forget_other_threads(process_registry& registry) noexcept {
    const std::uint64_t mine = core::detail::this_thread_identity();
    const core::shard* known = core::present_shard();
    const std::uint64_t previous = known == nullptr ? mine : known->thread();
    for (core::shard* l = registry.shards.first.load(); l != nullptr; l = l->next()) {
        const std::uint64_t word = l->owner.load(), owner = core::shard_owner::thread(word);
        const bool is_of_child = owner >> 32 == mine >> 32; // another handler of the fork may have started threads
        if (owner == previous) l->owner.store(core::shard_owner::next(word, mine));
        if (owner == previous || is_of_child) continue;
        l->owner.store(core::shard_owner::next(word, 0));
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
inline void before_fork() noexcept { static_cast<void>(core::own_shard_of_thread()); }
inline void in_child_of_fork() noexcept {
    if (process_registry* registry = known_registry.load()) forget_other_threads(*registry);
}

// Gives a tree the values of all sources, and reports what a person should know of it, whether a tool comes or not.
[[gnu::cold]] inline void check_tree(process_registry& registry, pending_tree& a, report_list& reports) noexcept {
    const bool is_checked = a.is_checked.load() != 0;
    if (!is_checked)
        descriptor::for_each_item(*a.tree.load(), descriptor::item_visit{[&](const descriptor::item& each) {
            if (has_adopted_value(each)) registry.has_adopted_values.store(1);
        }});
    resolve_pending_tree(registry, a, reports);
    if (is_checked) return;
    report_list misspelt;
    report_misspelt_names(registry, *a.tree.load(), misspelt);
    if (a.is_checked.exchange(1) == 0) reports.take(misspelt);
}

// Enters a tree that waits, also where other threads are entering it. Without memory it waits on.
[[gnu::cold]] inline void publish_if_pending(process_registry& registry, pending_tree& a,
                                             report_list& reports) noexcept {
    const publishing_guard here{a};
    if (!here.is_pending()) return;
    if (!MPIT_ONLY_LOOKS) check_tree(registry, a, reports);
    if (publish_tree(registry, a, reports)) registry.pending_trees.set_published(a);
}

// Publishes all pending trees, also those whose publication a stopped thread has begun. Returns false without memory.
[[gnu::cold]] inline bool publish_pending(process_registry& registry) noexcept {
    bool are_all_in = true;
    registry.pending_trees.each([&](pending_tree& a) {
        if (a.state.load(core::sequential) != pending_tree::pending) return;
        report_list reports;
        publish_if_pending(registry, a, reports);
        are_all_in = are_all_in && a.state.load() != pending_tree::pending;
        if (!MPIT_ONLY_LOOKS) reports.send(registry.reports_to.load());
    });
    return are_all_in;
}

[[gnu::cold]] inline void on_tree_loaded(process_registry& registry, pending_tree& a, report_list& reports) noexcept {
    if (registry.pending_trees.has_tools.load(core::sequential) != 0) {
        publish_if_pending(registry, a, reports);
    } else {
        const publishing_guard here{a};
        if (here.is_pending()) check_tree(registry, a, reports);
    }
    report_lost_values(registry, reports);
}

// Publishes pending trees from now on, here or through another shared object. Returns false without memory for all of
// them.
inline bool open_to_tools(process_registry& registry) noexcept {
    if (registry.pending_trees.has_tools.load(core::sequential) == 0)
        registry.pending_trees.has_tools.store(1, core::sequential);
    if (!registry.pending_trees.has_pending()) [[likely]]
        return true;
    return publish_pending(registry);
}

// For a tree that was published for a tool that only reads.
[[gnu::cold]] inline void check_if_published(process_registry& registry, pending_tree& a,
                                             report_list& reports) noexcept {
    const publishing_guard here{a};
    if (a.state.load(core::sequential) == pending_tree::published && a.is_checked.load() == 0)
        check_tree(registry, a, reports);
}

// Returns false without memory.
[[gnu::cold]] inline bool begin_registrar(process_registry& registry, report_list& reports) noexcept {
    pthread_atfork(&before_fork, nullptr, &in_child_of_fork);
    if (MPIT_ONLY_LOOKS) return true;
    read_named_files(registry, reports);
    registrar* made = registry.pending_trees.registrars.load();
    while (made != nullptr && !made->on_load.replace(nullptr, &on_tree_loaded)) made = made->next;
    const bool is_new = made == nullptr;
    if (is_new && (made = registry.memory.make<registrar>()) == nullptr) return false;
    const auto end = [](void* of_this_module) noexcept {
        static_cast<registrar*>(of_this_module)->on_load.store(nullptr, core::sequential);
        if (process_registry* known = known_registry.load()) core::wait_for_readers(known->shards);
    };
    if (!at_unloading(registry, end, made)) return made->on_load.store(nullptr), false;
    if (is_new) {
        made->on_load.store(&on_tree_loaded);
        made->next = registry.pending_trees.registrars.load();
        while (!registry.pending_trees.registrars.compare_exchange(made->next, made)) {}
    }
    registry.pending_trees.each([&](pending_tree& a) {
        if (a.state.load(core::sequential) == pending_tree::pending) on_tree_loaded(registry, a, reports);
        else check_if_published(registry, a, reports);
    });
    return true;
}

inline constinit atomic<std::uint32_t> is_registrar{0};

// Makes this shared object the registrar. Returns false without memory.
inline bool become_registrar(process_registry& registry) noexcept {
    if (is_registrar.load() != 0) return true;
    report_list reports;
    if (begin_registrar(registry, reports)) is_registrar.store(1);
    reports.send(registry.reports_to.load());
    return is_registrar.load() != 0;
}

// The registry with all pending trees published by this shared object; null without memory. Not async-signal-safe.
inline process_registry* published_registry() noexcept {
    process_registry* registry = the_registry();
    if (registry == nullptr || !become_registrar(*registry)) return nullptr;
    static_cast<void>(registry->tool_hooks.run()); // without what one has refused to describe
    return open_to_tools(*registry) ? registry : nullptr;
}

} // namespace registry
} // namespace mpit
