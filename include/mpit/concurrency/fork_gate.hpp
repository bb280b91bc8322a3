// SPDX-License-Identifier: BSD-3-Clause
// Keeps a fork from copying an unfinished change. A thread is inside the gate during a change. A fork waits until no
// thread is inside, a thread that enters waits until no fork is in progress, each for about a second at most. No mutex
// is locked during the copy.
//
//   const fork_gate::inside guard{the_fork_gate};   // the change that a fork must not copy in part
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The Dekker pattern by seq_cst operations: a thread adds 1 to users_ and reads forks_, a fork adds 1 to forks_ and
// reads users_. One of the two reads the addition of the other one.
class fork_gate {
public:
    // A guard that is inside the gate during its lifetime. Guards may be nested.
    class inside {
    public:
        explicit inside(fork_gate& gate) noexcept : gate_{gate} { gate.enter(); }
        ~inside() { gate_.leave(); }
        inside(const inside&) = delete;
        inside& operator=(const inside&) = delete;

    private:
        fork_gate& gate_;
    };

    void before_fork() noexcept {
        forks_.fetch_add(1);
        core::bounded_wait{}.wait_while([&] { return users_.load(core::seq_cst) != 0; });
    }
    void in_parent_of_fork() noexcept { forks_.fetch_add(static_cast<std::uint32_t>(-1)); }
    // True if a thread was inside when the process was copied: a mutex that it held stays locked in the child.
    bool in_child_of_fork() noexcept {
        forks_.store(0);
        return users_.exchange(0) != 0;
    }

private:
    void enter() noexcept {
        if (try_enter() || core::bounded_wait{}.wait_while([&] { return !try_enter(); })) return;
        users_.fetch_add(1);
    }
    bool try_enter() noexcept {
        if (forks_.load() != 0) return false;
        users_.fetch_add(1);
        if (forks_.load(core::seq_cst) == 0) return true;
        leave();
        return false;
    }
    // The count is 0 already in the child of a fork that a signal handler called while its thread was inside.
    void leave() noexcept {
        std::uint32_t users = users_.load();
        while (users != 0 && !users_.compare_exchange(users, users - 1)) {}
    }

    core::atomic<std::uint32_t> users_, forks_;
};

// The gate of a shared object with shims.
inline constinit fork_gate the_fork_gate;

} // namespace core
} // namespace mpit
