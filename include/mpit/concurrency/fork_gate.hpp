// SPDX-License-Identifier: BSD-3-Clause
// Keeps a fork from copying an unfinished change of shared data. A thread that changes shared data holds a guard of
// class fork_gate::inside. A fork waits until no thread holds a guard, and a thread that acquires a guard waits until
// no fork is in progress. Each wait lasts about a second at most. A fork locks no mutex.
//
//   const fork_gate::inside guard{the_fork_gate};   // the change that a fork must not copy in part
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// A thread and a fork exclude each other by the Dekker pattern with seq_cst operations. The thread adds 1 to users_ and
// then reads forks_. The fork adds 1 to forks_ and then reads users_. Therefore the thread reads the addition of the
// fork, or the fork reads the addition of the thread.
class fork_gate {
public:
    // A guard. A fork waits while the guard exists. A thread may nest guards.
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
    // Returns true if a thread held a guard during the fork, so that mutexes may stay locked in the child.
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
    // users_ may already be 0 in a child process, if a signal handler called fork() while the thread held a guard.
    void leave() noexcept {
        std::uint32_t users = users_.load();
        while (users != 0 && !users_.compare_exchange(users, users - 1)) {}
    }

    core::atomic<std::uint32_t> users_, forks_;
};

// The gate for the MPI_Info functions of this shared object.
inline constinit fork_gate the_fork_gate;

} // namespace core
} // namespace mpit
