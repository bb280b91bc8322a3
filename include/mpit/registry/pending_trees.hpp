// SPDX-License-Identifier: BSD-3-Clause
// Arrivals: the trees of the programs and libraries that are loaded, in the order in which they came. A tree waits in the
// list until somebody serves tools, and enters the index then; it leaves the list when its library is unloaded.
//
//   arrival* here = index.arrivals.begin(index.memory, tree, owner, "libp2p.so");   index.arrivals.complete(*here);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;

class process_index;
class report_list;
struct batch;

// A control variable of which a person should know what became of its value in the environment.
struct second_look {
    descriptor::control* at = nullptr;
    mutable atomic<std::uint32_t> is_told; // what there is to say of it
    second_look* next = nullptr;
};

// Any thread can enter a tree that waits, also while others do: one of their batches is published, and a thread that is
// stopped in the middle delays none of the others.
struct arrival {
    enum : std::uint32_t { unused, begun, waiting, entered };

    atomic<std::uint32_t> state{begun};
    atomic<int> entering_threads;
    atomic<batch*> decided; // what of it is published
    atomic<descriptor::category*> tree;
    text owner;
    const char* module = ""; // the file of its shared object
    atomic<second_look*> second_looks;
    atomic<std::uint32_t> is_looked_through; // for names in the environment that are nearly one of its own
    atomic<std::uint32_t> has_its_values;    // of all sources, from before its library ran
    atomic<arrival*> next;
};

// A thread that enters a tree. The tree is not unloaded meanwhile.
class entering {
public:
    explicit entering(arrival& a) noexcept : in_{a} { in_.entering_threads.fetch_add(1); }
    entering(const entering&) = delete;
    // The threads of a parent process are counted no more in a child.
    ~entering() {
        int threads = in_.entering_threads.load();
        while (threads > 0 && !in_.entering_threads.compare_exchange(threads, threads - 1)) {}
    }
    bool is_possible() const noexcept { return in_.state.load(core::sequential) == arrival::waiting; }

private:
    arrival& in_;
};

// What who serves tools does with a tree that arrives. It is called no more once its own shared object is unloaded.
struct keeper {
    atomic<void (*)(process_index&, arrival&, report_list&)> receive;
    keeper* next = nullptr;
};

class arrival_list {
public:
    // Null without memory.
    arrival* begin(core::arena& memory, descriptor::category& tree, text owner, const char* module) noexcept {
        arrival* made = take_unused();
        const bool is_new = made == nullptr;
        if (is_new && (made = memory.make<arrival>()) == nullptr) return nullptr;
        made->tree.store(&tree);
        made->owner = owner;
        made->module = module;
        if (is_new) append(*made);
        return made;
    }
    // From now on it can be entered, by whoever comes first.
    void complete(arrival& a) noexcept {
        waiting_.fetch_add(1);
        a.state.store(arrival::waiting, core::sequential);
    }
    // Its batch is published.
    void finish(arrival& a) noexcept {
        if (a.state.replace(arrival::waiting, arrival::entered)) waiting_.fetch_add(-1);
    }
    // Before a tree is unloaded: no other thread begins to enter it.
    void withdraw(arrival& a) noexcept {
        if (a.state.exchange(arrival::begun) == arrival::waiting) waiting_.fetch_add(-1);
    }
    // Another tree can have its place.
    void end(arrival& a) noexcept {
        a.tree.store(nullptr);
        a.decided.store(nullptr);
        a.second_looks.store(nullptr);
        a.is_looked_through.store(0);
        a.has_its_values.store(0);
        a.state.store(arrival::unused);
        unused_.fetch_add(1);
    }

    // Whether trees are waiting, or being entered.
    bool has_waiting() const noexcept { return waiting_.load(core::sequential) != 0; }
    template <class Visit> void each(Visit visit) const {
        for (arrival* a = first_.load(); a != nullptr; a = a->next.load()) visit(*a);
    }
    arrival* of(const descriptor::category& tree) const noexcept {
        arrival* a = first_.load();
        while (a != nullptr && a->tree.load() != &tree) a = a->next.load();
        return a;
    }

    // Those who serve tools, and whether a tool has come. Both only grow.
    atomic<keeper*> keepers;
    atomic<std::uint32_t> is_served;

private:
    arrival* take_unused() noexcept {
        if (unused_.load() <= 0) return nullptr;
        for (arrival* a = first_.load(); a != nullptr; a = a->next.load()) {
            if (a->state.load() != arrival::unused || !a->state.replace(arrival::unused, arrival::begun)) continue;
            unused_.fetch_add(-1);
            return a;
        }
        return nullptr;
    }
    void append(arrival& a) noexcept {
        arrival* const near_end = last_.load();
        for (atomic<arrival*>* end = near_end == nullptr ? &first_ : &near_end->next;;) {
            arrival* const there = end->load();
            if (there != nullptr) end = &there->next;
            else if (end->replace(nullptr, &a)) break;
        }
        last_.store(&a);
    }

    atomic<arrival*> first_, last_; // the last one, or one before it
    atomic<int> waiting_, unused_;
};

} // namespace registry
} // namespace mpit
