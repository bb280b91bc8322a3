// SPDX-License-Identifier: BSD-3-Clause
// A registrar is a shared object that publishes pending trees of variables once a tool initializes the interface. Every
// shared object with mpit's MPI_T functions is a registrar. When a registrar is unloaded, another registrar takes over.
//
//   become_registrar(*registry);    // when its shared object is loaded
//   open_to_tools(*registry);       // publishes all pending trees at the first MPI_T_init_thread
#pragma once

#include <mpit/config/lost_values.hpp>
#include <mpit/event/subscription.hpp>
#include <mpit/module/publish_pending.hpp>
#include <mpit/module/the_registry.hpp>

#include <pthread.h> // IWYU pragma: keep

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Runs in the child of a fork, and resets what other threads of the parent have left, so that the child can use all of
// mpit. The child keeps the counter values of the parent. Each registrar's fork handler calls this function once.
[[gnu::cold]] inline void reset_other_threads(process_registry& registry) noexcept {
    const std::uint64_t this_thread = core::detail::this_thread_identity();
    const core::shard* cached_shard = core::existing_shard_of_this_thread();
    const std::uint64_t forking_thread = cached_shard == nullptr ? this_thread : cached_shard->thread();
    for (core::shard* shard = registry.shards.first.load(); shard != nullptr; shard = shard->next()) {
        const std::uint64_t word = shard->owner.load(), owner = core::shard_owner::thread(word);
        const bool is_of_child = owner >> 32 == this_thread >> 32; // started by another fork handler
        if (owner == forking_thread) shard->owner.store(core::shard_owner::next(word, this_thread));
        if (owner == forking_thread || is_of_child) continue;
        shard->owner.store(core::shard_owner::next(word, 0));
        registry.shards.reset_activity(*shard);
    }
    registry.shards.readers_without_shard.store(0);
    registry.pending_trees.each([](pending_tree& pending) { pending.publishing_threads.store(0); });
    registry.tool_hooks.reset_other_threads(forking_thread, this_thread);
    const auto forget_in = [](const internal::source_channel& source) {
        if (internal::instance_queue* queue = source.queue.load()) queue->reset_other_threads();
    };
    for (const internal::source_channel& source : registry.own_sources) forget_in(source);
    for (int i = registry.count(kind::source) - 1; i >= 0; i--)
        forget_in(static_cast<const source_record*>(registry.at(kind::source, i))->channel);
    for (int i = registry.count(kind::event) - 1; i >= 0; i--) {
        internal::event_channel& channel = static_cast<event_record*>(registry.at(kind::event, i))->channel;
        for (internal::subscription* s = channel.first.load(); s != nullptr; s = s->next) s->reset_other_threads();
    }
}

// Makes this shared object find the counter cells (shard) of the forking thread, so that the child keeps the cells.
inline void before_fork() noexcept { static_cast<void>(core::shard_of_this_thread()); }
inline void in_child_of_fork() noexcept {
    if (process_registry* registry = cached_registry.load()) reset_other_threads(*registry);
}

// Gives the control variables of a tree values from all sources, and reports wrong settings, even if no tool runs.
[[gnu::cold]] inline void check_tree(process_registry& registry, pending_tree& pending, report_list& reports) noexcept {
    const bool is_checked = pending.is_checked.load() != 0;
    if (!is_checked)
        descriptor::for_each_item(*pending.tree.load(), descriptor::item_visit{[&](const descriptor::item& item) {
            if (has_adopted_value(item)) registry.has_adopted_values.store(1);
        }});
    resolve_pending_tree(registry, pending, reports);
    if (is_checked) return;
    report_list misspelt;
    report_misspelled_names(registry, *pending.tree.load(), misspelt);
    if (pending.is_checked.exchange(1) == 0) reports.take(misspelt);
}

// Publishes a tree of variables if the tree is pending. Other threads may publish the same tree at the same time. The
// tree stays pending if memory is exhausted.
[[gnu::cold]] inline void publish_if_pending(process_registry& registry, pending_tree& pending,
                                             report_list& reports) noexcept {
    const publishing_guard guard{pending};
    if (!guard.is_pending()) return;
    if (!MPIT_ONLY_LOOKS) check_tree(registry, pending, reports);
    if (publish_tree(registry, pending, reports)) registry.pending_trees.set_published(pending);
}

// Publishes all pending trees, even trees that another thread is publishing. Returns false if memory is exhausted.
[[gnu::cold]] inline bool publish_pending(process_registry& registry) noexcept {
    bool are_all_published = true;
    registry.pending_trees.each([&](pending_tree& pending) {
        if (pending.state.load(core::seq_cst) != pending_tree::pending) return;
        report_list reports;
        publish_if_pending(registry, pending, reports);
        are_all_published = are_all_published && pending.state.load() != pending_tree::pending;
        if (!MPIT_ONLY_LOOKS) reports.send(registry.reports_to.load());
    });
    return are_all_published;
}

[[gnu::cold]] inline void on_tree_loaded(process_registry& registry, pending_tree& pending,
                                         report_list& reports) noexcept {
    if (registry.pending_trees.has_tools.load(core::seq_cst) != 0) {
        publish_if_pending(registry, pending, reports);
    } else {
        const publishing_guard guard{pending};
        if (guard.is_pending()) check_tree(registry, pending, reports);
    }
    report_lost_values(registry, reports);
}

// Publishes all pending trees. Trees that are loaded later are published at load. Returns false if memory is exhausted.
inline bool open_to_tools(process_registry& registry) noexcept {
    if (registry.pending_trees.has_tools.load(core::seq_cst) == 0)
        registry.pending_trees.has_tools.store(1, core::seq_cst);
    if (!registry.pending_trees.has_pending()) [[likely]]
        return true;
    return publish_pending(registry);
}

// Checks the settings of a tree that a tool with MPIT_ONLY_LOOKS has published without a check.
[[gnu::cold]] inline void check_if_published(process_registry& registry, pending_tree& pending,
                                             report_list& reports) noexcept {
    const publishing_guard guard{pending};
    if (pending.state.load(core::seq_cst) == pending_tree::published && pending.is_checked.load() == 0)
        check_tree(registry, pending, reports);
}

// Installs the function that runs for each loaded tree. Returns false if memory is exhausted.
[[gnu::cold]] inline bool begin_registrar(process_registry& registry, report_list& reports) noexcept {
    if (MPIT_ONLY_LOOKS) return true;
    read_named_files(registry, reports);
    registrar* entry = registry.pending_trees.registrars.load();
    while (entry != nullptr && !entry->on_load.compare_and_set(nullptr, &on_tree_loaded)) entry = entry->next;
    const bool is_new = entry == nullptr;
    if (is_new && (entry = registry.memory.make<registrar>()) == nullptr) return false;
    const auto end = [](void* data) noexcept {
        static_cast<registrar*>(data)->on_load.store(nullptr, core::seq_cst);
        if (process_registry* process = cached_registry.load()) core::wait_for_grace_period(process->shards);
    };
    if (!at_unloading(registry, end, entry)) return entry->on_load.store(nullptr), false;
    if (is_new) {
        entry->on_load.store(&on_tree_loaded);
        entry->next = registry.pending_trees.registrars.load();
        while (!registry.pending_trees.registrars.compare_exchange(entry->next, entry)) {}
    }
    registry.pending_trees.each([&](pending_tree& pending) {
        if (pending.state.load(core::seq_cst) == pending_tree::pending) on_tree_loaded(registry, pending, reports);
        else check_if_published(registry, pending, reports);
    });
    return true;
}

inline constinit atomic<std::uint32_t> is_registrar{0};

// Makes this shared object a registrar. Returns false if memory is exhausted.
inline bool become_registrar(process_registry& registry) noexcept {
    if (is_registrar.load() != 0) return true;
    report_list reports;
    if (begin_registrar(registry, reports)) {
        pthread_atfork(&before_fork, nullptr, &in_child_of_fork);
        is_registrar.store(1);
    }
    reports.send(registry.reports_to.load());
    return is_registrar.load() != 0;
}

// Publishes all trees. Returns the registry, or null if memory is exhausted. No signal handler may call this function.
inline process_registry* published_registry() noexcept {
    process_registry* registry = the_registry();
    if (registry == nullptr || !become_registrar(*registry)) return nullptr;
    static_cast<void>(registry->tool_hooks.run()); // a function that fails describes no variables
    return open_to_tools(*registry) ? registry : nullptr;
}

} // namespace registry
} // namespace mpit
