// SPDX-License-Identifier: BSD-3-Clause
// A tree contains the declared categories and variables of a program or a library. A tree is pending from its load
// until a registrar publishes it to tools. A new tree reuses the slot of an unloaded library's tree, if there is one.
//
//   pending_tree* slot = registry.pending_trees.add(registry.memory, tree, owner, "libp2p.so");
//   registry.pending_trees.set_pending(*slot);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;

class process_registry;
class report_list;
struct log_entry;

// A control variable with an environment value that must be reported, such as a rejected value. All copies of mpit
// share unresolved values, because the copy that a tool calls reports values that other copies have read.
struct unresolved_value {
    descriptor::control* variable = nullptr;
    unresolved_value* next = nullptr;
    mutable atomic<std::uint32_t> is_reported;
};

// A loaded tree. Several threads may publish one pending tree at once, so that a delayed thread does not block other
// threads. Each thread builds a log entry, and exactly one of these log entries is published. All copies of mpit share
// pending trees, because one copy loads the tree and another copy publishes the tree.
struct pending_tree {
    enum : std::uint32_t { unused, loading, pending, published };

    atomic<std::uint32_t> state{loading};
    atomic<int> publishing_threads;
    atomic<log_entry*> published_entry; // the last log entry of the tree that was chosen for publication
    atomic<descriptor::category*> tree;
    text owner;
    const char* module = ""; // the file name of the tree's shared object
    atomic<unresolved_value*> unresolved_values;
    atomic<std::uint32_t> is_checked;  // 1 once misspelt names in the environment are reported for the tree
    atomic<std::uint32_t> is_resolved; // 1 once the variables have values from all sources
    atomic<pending_tree*> next;
    core::spare_words<2> spare;
};

// Counts this thread as a publisher of a tree. If is_pending() returns true, unload_tree() waits for this thread. The
// guard and unload_tree() form a Dekker pattern of seq_cst operations. The guard increments publishing_threads and then
// loads the tree's state. unload_tree() exchanges the tree's state and then loads publishing_threads. At least one of
// the two threads reads the other thread's store.
class publishing_guard {
public:
    explicit publishing_guard(pending_tree& slot) noexcept : tree_{slot} { tree_.publishing_threads.fetch_add(1); }
    publishing_guard(const publishing_guard&) = delete;
    // The count of publishers never becomes negative here, although reset_other_threads() sets it to 0 after a fork.
    ~publishing_guard() {
        int threads = tree_.publishing_threads.load();
        while (threads > 0 && !tree_.publishing_threads.compare_exchange(threads, threads - 1)) {}
    }
    bool is_pending() const noexcept { return tree_.state.load(core::seq_cst) == pending_tree::pending; }

private:
    pending_tree& tree_;
};

// The callback of a registrar. The callback is null after the registrar's shared object was unloaded. All copies of
// mpit share registrars, because each copy that loads a tree calls the callbacks of all registrars.
struct registrar {
    atomic<void (*)(process_registry&, pending_tree&, report_list&)> on_load;
    registrar* next = nullptr;
    core::spare_words<2> spare;
};

class pending_tree_list {
public:
    // Adds a tree in the state `loading`. Returns the slot of the tree, or null if memory is exhausted.
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
    // Lets any thread publish a tree. The release store of the tree's state pairs with the load in is_pending().
    void set_pending(pending_tree& slot) noexcept {
        pending_count_.fetch_add(1);
        slot.state.store(pending_tree::pending, core::seq_cst);
    }
    // Marks a tree as published. The caller has already published the log entry of the tree.
    void set_published(pending_tree& slot) noexcept {
        if (slot.state.compare_and_set(pending_tree::pending, pending_tree::published)) pending_count_.fetch_add(-1);
    }
    // Called before a tree is unloaded. If a publishing_guard is created after this call, is_pending() returns false.
    void set_unloading(pending_tree& slot) noexcept {
        if (slot.state.exchange(pending_tree::loading) == pending_tree::pending) pending_count_.fetch_add(-1);
    }
    // Frees the slot of an unloaded tree. The release store of the state follows the stores of all other members, and
    // pairs with the acquire compare-and-set of the state in take_unused().
    void remove(pending_tree& slot) noexcept {
        slot.tree.store(nullptr);
        slot.published_entry.store(nullptr);
        slot.unresolved_values.store(nullptr);
        slot.is_checked.store(0);
        slot.is_resolved.store(0);
        slot.state.store(pending_tree::unused);
        unused_count_.fetch_add(1);
    }

    // Returns true if any tree is pending, even while a thread is publishing this tree.
    bool has_pending() const noexcept { return pending_count_.load(core::seq_cst) != 0; }
    template <class Visit> void each(Visit visit) const {
        for (pending_tree* slot = first_.load(); slot != nullptr; slot = slot->next.load()) visit(*slot);
    }
    pending_tree* find(const descriptor::category& tree) const noexcept {
        pending_tree* slot = first_.load();
        while (slot != nullptr && slot->tree.load() != &tree) slot = slot->next.load();
        return slot;
    }

    // Registrars are never removed from the list `registrars`. `has_tools` is 1 once a tool has initialized the
    // interface. If `has_tools` is 1, each tree is published when it is loaded.
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

    atomic<int> pending_count_, unused_count_; // numbers of slots in both states, which save most walks over the list
    atomic<pending_tree*> first_, last_;       // last_ may lag behind the last slot
};

} // namespace registry
} // namespace mpit
