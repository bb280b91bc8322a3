// SPDX-License-Identifier: BSD-3-Clause
// Tool hooks are functions of libraries that run once, before the first MPI_T_init_thread of the process returns. Only
// one thread at a time runs hooks. Other threads that initialize the interface wait for this thread.
//
//   tool_hook* hook = registry.tool_hooks.add(registry.memory, &describe, nullptr);
//   const int refusal = registry.tool_hooks.run();      // at each initialization
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/bounded_wait.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/spare_words.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;

// All copies of mpit share tool hooks, because the copy that a tool initializes runs the hooks of all copies.
struct tool_hook {
    enum : std::uint32_t { unused, waiting, running, done, preparing };

    int (*function)(void*) = nullptr;
    void* data = nullptr;
    tool_hook* next = nullptr;
    atomic<std::uint32_t> state;
    atomic<std::uint64_t> sequence; // position in the order of execution
    core::spare_words<1> spare;
};

class tool_hook_list {
public:
    // Adds a hook that calls `function(data)`. Returns the hook, or null if memory is exhausted.
    tool_hook* add(core::arena& memory, int (*function)(void*), void* data) noexcept {
        std::uint64_t last = 0;
        tool_hook* hook = nullptr;
        for (tool_hook* used = first_.load(); used != nullptr; used = used->next) {
            last = used->sequence.load() > last ? used->sequence.load() : last;
            if (hook == nullptr && used->state.compare_and_set(tool_hook::unused, tool_hook::preparing)) hook = used;
        }
        const bool is_new = hook == nullptr;
        if (is_new && (hook = memory.make<tool_hook>()) == nullptr) return nullptr;
        hook->function = function;
        hook->data = data;
        hook->sequence.store(last + 1);
        hook->state.store(tool_hook::waiting, core::seq_cst);
        waiting_count_.fetch_add(1);
        if (is_new)
            for (hook->next = first_.load(); !first_.compare_exchange(hook->next, hook);) {}
        return hook;
    }
    // Removes a hook at an unload. Returns false if another thread has been running the hook for over a second.
    bool remove(tool_hook& hook) noexcept {
        if (hook.state.compare_and_set(tool_hook::waiting, tool_hook::unused))
            return waiting_count_.fetch_add(-1), true;
        const std::uint64_t this_thread = core::detail::this_thread_identity();
        const core::bounded_wait until_returned;
        const bool has_returned = until_returned.wait_while(
            [&] { return hook.state.load(core::seq_cst) == tool_hook::running && runner_.load() != this_thread; });
        // A hook whose function has returned an error is in the state `waiting` again.
        if (hook.state.compare_and_set(tool_hook::waiting, tool_hook::unused)) waiting_count_.fetch_add(-1);
        else hook.state.compare_and_set(tool_hook::done, tool_hook::unused);
        return has_returned;
    }

    // Runs all waiting hooks in the order in which they were added. Returns 0, or the error code of the first function
    // that fails. The next run() calls the failed function again. In a hook function, run() does nothing and returns 0.
    int run() noexcept {
        if (has_tool_.load() == 0) has_tool_.store(1, core::seq_cst);
        if (waiting_count_.load(core::seq_cst) == 0) [[likely]]
            return 0;
        const std::uint64_t this_thread = core::detail::this_thread_identity();
        if (runner_.load() == this_thread) return 0;
        become_runner(this_thread);
        int code = 0;
        while (tool_hook* hook = code == 0 ? oldest_waiting() : nullptr) {
            if (!hook->state.compare_and_set(tool_hook::waiting, tool_hook::running)) continue;
            code = hook->function(hook->data);
            // If the function has unloaded its shared object, the compare-and-set fails, because the unload removes the
            // hook.
            const std::uint32_t new_state = code == 0 ? tool_hook::done : tool_hook::waiting;
            if (hook->state.compare_and_set(tool_hook::running, new_state) && code == 0) waiting_count_.fetch_add(-1);
        }
        runner_.store(0, core::seq_cst);
        return code;
    }
    // Returns true after a tool has initialized the interface in this process.
    bool has_tool() const noexcept { return has_tool_.load(core::seq_cst) != 0; }

    // Called in the child of a fork. A hook that another thread was running changes back to the state `waiting`.
    void reset_other_threads(std::uint64_t forking_thread, std::uint64_t this_thread) noexcept {
        if (runner_.load() == forking_thread) return runner_.store(this_thread);
        runner_.store(0);
        wait_again();
    }

private:
    tool_hook* oldest_waiting() const noexcept {
        tool_hook* oldest = nullptr;
        for (tool_hook* hook = first_.load(); hook != nullptr; hook = hook->next)
            if (hook->state.load(core::seq_cst) == tool_hook::waiting &&
                (oldest == nullptr || hook->sequence.load() < oldest->sequence.load()))
                oldest = hook;
        return oldest;
    }
    // Changes the state of a running hook back to `waiting`, because the thread that ran the hook no longer exists.
    void wait_again() noexcept {
        for (tool_hook* hook = first_.load(); hook != nullptr; hook = hook->next)
            hook->state.compare_and_set(tool_hook::running, tool_hook::waiting);
    }
    // Waits until no other thread runs hooks. If a thread has ended in a hook, the state of the hook becomes `waiting`.
    void become_runner(std::uint64_t this_thread) noexcept {
        for (std::uint64_t runner = 0; !runner_.compare_exchange(runner, this_thread); runner = 0) {
            const core::bounded_wait until_done;
            const bool is_done = until_done.wait_while([&] { return runner_.load() == runner; });
            if (is_done || !core::detail::has_ended(runner, this_thread)) continue;
            wait_again();
            runner_.compare_and_set(runner, 0);
        }
    }

    atomic<tool_hook*> first_;
    atomic<std::uint32_t> has_tool_;
    atomic<int> waiting_count_;    // number of functions that have not yet returned 0
    atomic<std::uint64_t> runner_; // identity of the thread that runs the functions, or 0
};

} // namespace registry
} // namespace mpit
