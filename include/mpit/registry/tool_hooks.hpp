// SPDX-License-Identifier: BSD-3-Clause
// Functions that run once, before the first tool of the process is answered. One thread runs them at a time; other
// threads that bring tools wait for it.
//
//   tool_hook* hook = registry.tool_hooks.add(registry.memory, &describe, nullptr);
//   const int refusal = registry.tool_hooks.run();      // at each initialization
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/bounded_wait.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/spare_words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;

// Shared, because the copy that brings a tool runs the functions of all copies.
struct tool_hook {
    enum : std::uint32_t { unused, waiting, running, done };

    int (*function)(void*) = nullptr;
    void* data = nullptr;
    tool_hook* next = nullptr;
    atomic<std::uint32_t> state;
    core::spare_words<2> spare;
};

class tool_hook_list {
public:
    // Returns null without memory.
    tool_hook* add(core::arena& memory, int (*function)(void*), void* data) noexcept {
        tool_hook* made = first_.load();
        while (made != nullptr && !made->state.replace(tool_hook::unused, tool_hook::running)) made = made->next;
        const bool is_new = made == nullptr;
        if (is_new && (made = memory.make<tool_hook>()) == nullptr) return nullptr;
        made->function = function;
        made->data = data;
        made->state.store(tool_hook::waiting, core::sequential);
        waiting_count_.fetch_add(1);
        for (made->next = is_new ? first_.load() : made->next; is_new && !first_.compare_exchange(made->next, made);) {}
        return made;
    }
    // Before its shared object is unloaded. Returns false if another thread is still running it after a second.
    bool remove(tool_hook& hook) noexcept {
        if (hook.state.replace(tool_hook::waiting, tool_hook::unused)) return waiting_count_.fetch_add(-1), true;
        const std::uint64_t mine = core::detail::this_thread_identity();
        const core::bounded_wait until_returned;
        const bool has_returned = until_returned.wait_while(
            [&] { return hook.state.load(core::sequential) == tool_hook::running && runner_.load() != mine; });
        // A refusal has made it wait again.
        if (hook.state.replace(tool_hook::waiting, tool_hook::unused)) waiting_count_.fetch_add(-1);
        else hook.state.replace(tool_hook::done, tool_hook::unused);
        return has_returned;
    }

    // Runs those that have not run, the oldest first. Returns 0, or the code of the first that refuses, which runs
    // again the next time. A function that brings a tool itself gets 0.
    int run() noexcept {
        if (has_come_.load() == 0) has_come_.store(1, core::sequential);
        if (waiting_count_.load(core::sequential) == 0) [[likely]]
            return 0;
        const std::uint64_t mine = core::detail::this_thread_identity();
        if (runner_.load() == mine) return 0;
        begin(mine);
        int code = 0;
        while (tool_hook* hook = code == 0 ? oldest_waiting() : nullptr) {
            if (!hook->state.replace(tool_hook::waiting, tool_hook::running)) continue;
            code = hook->function(hook->data);
            // It may have unloaded its own library, which has removed it.
            const std::uint32_t after = code == 0 ? tool_hook::done : tool_hook::waiting;
            if (hook->state.replace(tool_hook::running, after) && code == 0) waiting_count_.fetch_add(-1);
        }
        runner_.store(0, core::sequential);
        return code;
    }
    // Whether a tool has come to this process.
    bool has_come() const noexcept { return has_come_.load(core::sequential) != 0; }

    // In the child of a fork. What another thread was running then, runs again.
    void forget_other_threads(std::uint64_t forking_thread, std::uint64_t mine) noexcept {
        if (runner_.load() == forking_thread) return runner_.store(mine);
        runner_.store(0);
        for (tool_hook* hook = first_.load(); hook != nullptr; hook = hook->next)
            hook->state.replace(tool_hook::running, tool_hook::waiting);
    }

private:
    // The list has the youngest first.
    tool_hook* oldest_waiting() const noexcept {
        tool_hook* found = nullptr;
        for (tool_hook* hook = first_.load(); hook != nullptr; hook = hook->next)
            if (hook->state.load(core::sequential) == tool_hook::waiting) found = hook;
        return found;
    }
    // Waits for the thread that runs the functions; it may have ended inside of one.
    void begin(std::uint64_t mine) noexcept {
        for (std::uint64_t runner = 0; !runner_.compare_exchange(runner, mine); runner = 0) {
            const core::bounded_wait until_done;
            const bool is_done = until_done.wait_while([&] { return runner_.load() == runner; });
            if (is_done || !core::detail::has_ended(runner, mine)) continue;
            for (tool_hook* hook = first_.load(); hook != nullptr; hook = hook->next)
                hook->state.replace(tool_hook::running, tool_hook::waiting);
            runner_.replace(runner, 0);
        }
    }

    atomic<tool_hook*> first_;
    atomic<std::uint32_t> has_come_;
    atomic<int> waiting_count_;    // until each has returned
    atomic<std::uint64_t> runner_; // the identity of the thread that runs them, or 0
};

} // namespace registry
} // namespace mpit
