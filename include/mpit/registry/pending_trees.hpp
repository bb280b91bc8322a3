// SPDX-License-Identifier: BSD-3-Clause
// Pending trees: the trees of loaded programs and libraries, in load order but for slots that are used again. A tree is
// pending until a registrar publishes it; its slot is freed when its library is unloaded.
//
//   pending_tree* slot = registry.pending_trees.add(registry.memory, tree, owner, "libp2p.so");
//   registry.pending_trees.set_pending(*slot);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;

class process_registry;
class report_list;
struct log_entry;

// A control variable whose value in the environment is to be reported: it was rejected, for example. Shared, because
// the copy of the headers that loads a tree takes the value, and one that serves a tool reports it.
struct unresolved_value {
    descriptor::control* variable = nullptr;
    unresolved_value* next = nullptr;
    mutable atomic<std::uint32_t> is_reported;
};

// A loaded tree. Any thread can publish it while it is pending, also while other threads do: one of their entries is
// published, and a thread that is stopped in the middle delays no other. Shared, because the copy of the headers that
// loads the tree writes it and one that serves a tool publishes it.
struct pending_tree {
    enum : std::uint32_t { unused, loading, pending, published };

    atomic<std::uint32_t> state{loading};
    atomic<int> publishing_threads;
    atomic<log_entry*> published_entry; // the last entry of the tree that was decided for publication
    atomic<descriptor::category*> tree;
    text owner;
    const char* module = ""; // the file of its shared object
    atomic<unresolved_value*> unresolved_values;
    atomic<std::uint32_t> is_checked;  // entries of the environment with misspelt names were reported
    atomic<std::uint32_t> is_resolved; // its variables have the values of all sources from before its library runs
    atomic<pending_tree*> next;
    core::spare_words<2> spare;
};

// Counts this thread as a publisher of a tree: if is_pending() is true, unload_tree() waits for it. Dekker pattern, all
// seq_cst: the guard increments publishing_threads and then loads the state, unload_tree() exchanges the state and then
// loads publishing_threads, so that one of them sees the other.
class publishing_guard {
public:
    explicit publishing_guard(pending_tree& slot) noexcept : tree_{slot} { tree_.publishing_threads.fetch_add(1); }
    publishing_guard(const publishing_guard&) = delete;
    // In the child of a fork the count was reset meanwhile (reset_other_threads()), and stays 0.
    ~publishing_guard() {
        int threads = tree_.publishing_threads.load();
        while (threads > 0 && !tree_.publishing_threads.compare_exchange(threads, threads - 1)) {}
    }
    bool is_pending() const noexcept { return tree_.state.load(core::seq_cst) == pending_tree::pending; }

private:
    pending_tree& tree_;
};

// A registrar's function, null once its shared object is unloaded. Shared, because each copy that loads a tree calls
// it.
struct registrar {
    atomic<void (*)(process_registry&, pending_tree&, report_list&)> on_load;
    registrar* next = nullptr;
    core::spare_words<2> spare;
};

class pending_tree_list {
public:
    // Adds a tree in the state `loading`. Returns null if memory is exhausted.
    [[gnu::cold]] pending_tree* add(core::arena& memory, descriptor::category& tree, text owner,
                                    const char* module) noexcept {
        pending_tree* slot = take_unused();
        const bool is_new = slot == nullptr;
        if (is_new && (slot = memory.make<pending_tree>()) == nullptr) return nullptr;
        slot->tree.store(&tree);
        slot->owner = owner;
        slot->module = module;
        if (is_new) append(*slot);
        return slot;
    }
    // From now on any thread can publish the tree. The release store of the state pairs with the load in is_pending().
    void set_pending(pending_tree& slot) noexcept {
        pending_count_.fetch_add(1);
        slot.state.store(pending_tree::pending, core::seq_cst);
    }
    // Called when the entry of the tree is published.
    void set_published(pending_tree& slot) noexcept {
        if (slot.state.compare_and_set(pending_tree::pending, pending_tree::published)) pending_count_.fetch_add(-1);
    }
    // Called before the tree is unloaded: a publishing_guard that begins later finds that it is not pending.
    void set_unloading(pending_tree& slot) noexcept {
        if (slot.state.exchange(pending_tree::loading) == pending_tree::pending) pending_count_.fetch_add(-1);
    }
    // Frees the slot: the release store of the state, behind those of the other members, pairs with take_unused().
    void remove(pending_tree& slot) noexcept {
        slot.tree.store(nullptr);
        slot.published_entry.store(nullptr);
        slot.unresolved_values.store(nullptr);
        slot.is_checked.store(0);
        slot.is_resolved.store(0);
        slot.state.store(pending_tree::unused);
        unused_count_.fetch_add(1);
    }

    // True if a tree is pending, also while threads publish it.
    bool has_pending() const noexcept { return pending_count_.load(core::seq_cst) != 0; }
    template <class Visit> void each(Visit visit) const {
        for (pending_tree* slot = first_.load(); slot != nullptr; slot = slot->next.load()) visit(*slot);
    }
    pending_tree* find(const descriptor::category& tree) const noexcept {
        pending_tree* slot = first_.load();
        while (slot != nullptr && slot->tree.load() != &tree) slot = slot->next.load();
        return slot;
    }

    // Registrars are never removed. has_tools is 1 once a tool has initialized: then trees are published at load.
    atomic<registrar*> registrars;
    atomic<std::uint32_t> has_tools;

private:
    pending_tree* take_unused() noexcept {
        if (unused_count_.load() <= 0) return nullptr;
        for (pending_tree* slot = first_.load(); slot != nullptr; slot = slot->next.load()) {
            if (slot->state.load() != pending_tree::unused ||
                !slot->state.compare_and_set(pending_tree::unused, pending_tree::loading))
                continue;
            unused_count_.fetch_add(-1);
            return slot;
        }
        return nullptr;
    }
    void append(pending_tree& added) noexcept {
        pending_tree* const near_end = last_.load();
        for (atomic<pending_tree*>* end = near_end == nullptr ? &first_ : &near_end->next;;) {
            pending_tree* const next = end->load();
            if (next != nullptr) end = &next->next;
            else if (end->compare_and_set(nullptr, &added)) break;
        }
        last_.store(&added);
    }

    atomic<int> pending_count_, unused_count_; // of trees in each state, so that most callers do not walk the list
    atomic<pending_tree*> first_, last_;       // last_ may be one before the last
};

} // namespace registry
} // namespace mpit
