// SPDX-License-Identifier: BSD-3-Clause
// Pending trees: the trees of loaded programs and libraries, in load order. A tree stays in the list until a registrar
// publishes it; it leaves the list when its library is unloaded.
//
//   pending_tree* pending = registry.pending_trees.begin(registry.memory, tree, owner, "libp2p.so");
//   registry.pending_trees.complete(*pending);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;

class process_registry;
class report_list;
struct batch;

// A control variable of which a person should know what became of its value in the environment. Shared, because the
// copy that loads a tree takes the value, and the one that serves a tool reports it.
struct unresolved_value {
    descriptor::control* variable = nullptr;
    unresolved_value* next = nullptr;
    mutable atomic<std::uint32_t> is_reported; // what there is to say of it
};

// Any thread can enter a tree that waits, also while others do: one of their batches is published, and a thread that is
// stopped in the middle delays none of the others. Shared, because the copy of a library makes it and one that serves a
// tool publishes it.
struct pending_tree {
    enum : std::uint32_t { unused, loading, pending, published };

    atomic<std::uint32_t> state{loading};
    atomic<int> publishing_threads;
    atomic<batch*> published_batch; // what of it is published
    atomic<descriptor::category*> tree;
    text owner;
    const char* module = ""; // the file of its shared object
    atomic<unresolved_value*> unresolved_values;
    atomic<std::uint32_t> is_checked;  // for names in the environment that are nearly one of its own
    atomic<std::uint32_t> is_resolved; // of all sources, from before its library ran
    atomic<pending_tree*> next;
    core::spare_words<2> spare;
};

// A thread that enters a tree. The tree is not unloaded meanwhile.
class publishing_guard {
public:
    explicit publishing_guard(pending_tree& a) noexcept : tree_{a} { tree_.publishing_threads.fetch_add(1); }
    publishing_guard(const publishing_guard&) = delete;
    // The threads of a parent process are counted no more in a child.
    ~publishing_guard() {
        int threads = tree_.publishing_threads.load();
        while (threads > 0 && !tree_.publishing_threads.compare_exchange(threads, threads - 1)) {}
    }
    bool is_pending() const noexcept { return tree_.state.load(core::sequential) == pending_tree::pending; }

private:
    pending_tree& tree_;
};

// A registrar's function for pending trees. It is not called after its shared object is unloaded. Shared, because the
// copy that loads a tree calls it.
struct registrar {
    atomic<void (*)(process_registry&, pending_tree&, report_list&)> on_load;
    registrar* next = nullptr;
    core::spare_words<2> spare;
};

class pending_tree_list {
public:
    // Returns null without memory.
    [[gnu::cold]] pending_tree* add(core::arena& memory, descriptor::category& tree, text owner,
                                    const char* module) noexcept {
        pending_tree* made = take_unused();
        const bool is_new = made == nullptr;
        if (is_new && (made = memory.make<pending_tree>()) == nullptr) return nullptr;
        made->tree.store(&tree);
        made->owner = owner;
        made->module = module;
        if (is_new) append(*made);
        return made;
    }
    // From now on any thread can publish it.
    void set_pending(pending_tree& a) noexcept {
        pending_count_.fetch_add(1);
        a.state.store(pending_tree::pending, core::sequential);
    }
    // Its batch is published.
    void set_published(pending_tree& a) noexcept {
        if (a.state.replace(pending_tree::pending, pending_tree::published)) pending_count_.fetch_add(-1);
    }
    // Before a tree is unloaded: no other thread begins to enter it.
    void set_unloading(pending_tree& a) noexcept {
        if (a.state.exchange(pending_tree::loading) == pending_tree::pending) pending_count_.fetch_add(-1);
    }
    // Another tree can have its place.
    void remove(pending_tree& a) noexcept {
        a.tree.store(nullptr);
        a.published_batch.store(nullptr);
        a.unresolved_values.store(nullptr);
        a.is_checked.store(0);
        a.is_resolved.store(0);
        a.state.store(pending_tree::unused);
        unused_count_.fetch_add(1);
    }

    // Whether trees are waiting, or being entered.
    bool has_pending() const noexcept { return pending_count_.load(core::sequential) != 0; }
    template <class Visit> void each(Visit visit) const {
        for (pending_tree* a = first_.load(); a != nullptr; a = a->next.load()) visit(*a);
    }
    pending_tree* find(const descriptor::category& tree) const noexcept {
        pending_tree* a = first_.load();
        while (a != nullptr && a->tree.load() != &tree) a = a->next.load();
        return a;
    }

    // The registrars, and whether a tool has initialized: then a tree is published when it is loaded. Both only grow.
    atomic<registrar*> registrars;
    atomic<std::uint32_t> has_tools;

private:
    pending_tree* take_unused() noexcept {
        if (unused_count_.load() <= 0) return nullptr;
        for (pending_tree* a = first_.load(); a != nullptr; a = a->next.load()) {
            if (a->state.load() != pending_tree::unused ||
                !a->state.replace(pending_tree::unused, pending_tree::loading))
                continue;
            unused_count_.fetch_add(-1);
            return a;
        }
        return nullptr;
    }
    void append(pending_tree& a) noexcept {
        pending_tree* const near_end = last_.load();
        for (atomic<pending_tree*>* end = near_end == nullptr ? &first_ : &near_end->next;;) {
            pending_tree* const there = end->load();
            if (there != nullptr) end = &there->next;
            else if (end->replace(nullptr, &a)) break;
        }
        last_.store(&a);
    }

    atomic<int> pending_count_, unused_count_; // of trees in each state, so that most callers walk over none
    atomic<pending_tree*> first_, last_;       // the last one, or one before it
};

} // namespace registry
} // namespace mpit
