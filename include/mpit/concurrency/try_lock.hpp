// SPDX-License-Identifier: BSD-3-Clause
// A lock that gives up: an attempt fails for the thread that holds it already, and after about a second of waiting. The
// child of a fork releases the locks of threads that it does not have.
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
        return owner_.replace(nullptr, me()) ||
               core::bounded_wait{}.wait_while([&] { return !owner_.replace(nullptr, me()); });
    }

    core::atomic<const void*> owner_;
};

} // namespace over_mpi
} // namespace mpit
