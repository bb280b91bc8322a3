// SPDX-License-Identifier: BSD-3-Clause
// A lock whose acquisition can fail. Acquisition fails at once in the thread that already holds the lock. In any other
// thread, acquisition fails if one thread holds the lock for about a second. The child of a fork releases the locks
// that are held by threads of the parent.
//
//   if (!lock.take([&] { ... })) return;   // the function was not called
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <cerrno>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

class try_lock {
public:
    // Calls `function` while holding the lock. Returns false and does nothing if the lock cannot be acquired.
    template <class Function> bool take(Function function) noexcept {
        if (!acquire()) return false;
        function();
        owner_.store(nullptr);
        return true;
    }
    bool is_held_by_this_thread() const noexcept { return owner_.load() == thread_identity(); }
    // In the child of a fork, releases the lock if another thread of the parent held the lock.
    void release_other_threads() noexcept {
        if (owner_.load() != thread_identity()) owner_.store(nullptr);
    }

private:
    // Identifies the calling thread by the address of errno, which is unique among the threads of a process.
    static const void* thread_identity() noexcept { return &errno; }
    bool acquire() noexcept {
        if (is_held_by_this_thread()) return false;
        const bool is_acquired = owner_.compare_and_set(nullptr, thread_identity()) || core::wait_for_turn([&] {
            return !owner_.compare_and_set(nullptr, thread_identity());
        }, [&] { return acquisitions_.load(core::relaxed); });
        if (is_acquired) acquisitions_.store(acquisitions_.load(core::relaxed) + 1, core::relaxed);
        return is_acquired;
    }

    core::atomic<const void*> owner_;
    core::atomic<std::uint32_t> acquisitions_; // waiting threads give up if this count is constant for a second
};

} // namespace over_mpi
} // namespace mpit
