// SPDX-License-Identifier: BSD-3-Clause
// A lock that gives up: an attempt fails for the thread that holds it already, and after about a second in which one
// other thread holds it. The child of a fork releases the locks of threads that it does not have.
//
//   discovering.take([&] { … });   // not called where the turn cannot be had
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <cerrno>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

class try_lock {
public:
    template <class Use> bool take(Use use) noexcept {
        if (!begin()) return false;
        use();
        owner_.store(nullptr);
        return true;
    }
    // Whether this thread has the turn.
    bool is_own() const noexcept { return owner_.load() == me(); }
    // For the child of a fork.
    void forget_other_threads() noexcept {
        if (owner_.load() != me()) owner_.store(nullptr);
    }

private:
    // The address of errno identifies a thread.
    static const void* me() noexcept { return &errno; }
    bool begin() noexcept {
        if (owner_.load() == me()) return false;
        const bool is_mine = owner_.replace(nullptr, me()) || core::wait_for_turn([&] {
            return !owner_.replace(nullptr, me());
        }, [&] { return turns_.load(core::relaxed); });
        if (is_mine) turns_.store(turns_.load(core::relaxed) + 1, core::relaxed);
        return is_mine;
    }

    core::atomic<const void*> owner_;
    core::atomic<std::uint32_t> turns_;
};

} // namespace over_mpi
} // namespace mpit
