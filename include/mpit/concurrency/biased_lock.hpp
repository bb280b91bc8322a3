// SPDX-License-Identifier: BSD-3-Clause
// A biased try-lock, for work that one thread does most of the time (Kawachiya, Koseki and Onodera, "Lock Reservation",
// OOPSLA 2002). The first thread that acquires the lock becomes the owner, and acquires and releases the lock by plain
// stores. When another thread tries to acquire the lock, that thread revokes the bias by a fence of the kernel on every
// processor, which takes about a microsecond. After the revocation every thread acquires and releases the lock by two
// locked instructions. No thread waits for the lock. All functions are async-signal-safe.
//
//   leave_work();
//   if (lock.try_lock()) { do_work(); lock.unlock(); if (work_is_left()) ...; }   // otherwise the holder does the work
#pragma once

#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The owner and a thread that revokes the bias exclude each other by the Dekker pattern over an asymmetric fence. The
// owner stores held_by_owner_, runs the light fence, and reads owner_. The revoking thread stores owner_, runs the
// heavy fence, and reads held_by_owner_. By a second Dekker pattern the holder of the lock sees the work of a thread
// that fails to acquire the lock. The failing thread stores its work before it reads that the lock is held. The holder
// releases the lock, runs a light fence (a seq_cst fence if the bias was revoked), and then reads whether work is left.
// The release stores in unlock() pair with the loads in try_lock_unbiased().
class biased_lock {
public:
    // Returns false if any thread, including this thread, holds the lock. Also returns false while a former owner tries
    // to acquire the lock and has not yet read the revocation. A former owner that reads the revocation tries again.
    [[gnu::always_inline]] bool try_lock() noexcept {
        const std::uint32_t id = holder_of_this_thread();
        if (!owner_.load_equals(id)) [[unlikely]]
            return try_lock_unbiased(id);
        if (!held_by_owner_.load_equals(0)) return false;
        held_by_owner_.store(id, core::relaxed);
        core::asymmetric_fence::light(true); // pairs with the heavy fence in revoke_bias()
        return owner_.load_equals(id) || try_lock_after_revocation(id);
    }
    [[gnu::always_inline]] void unlock() noexcept {
        if (!held_.load_equals(0)) [[unlikely]]
            return held_.store(0, core::seq_cst);
        held_by_owner_.store(0);
        core::asymmetric_fence::light(true);
        if (is_bias_revoked()) [[unlikely]]
            core::asymmetric_fence::seq_cst();
    }
    // True if a second thread has tried to acquire the lock, or if the first thread could not become the owner.
    bool is_bias_revoked() const noexcept { return owner_.load_exceeds(last_owner); }
    bool is_held_by_this_thread() const noexcept {
        const std::uint32_t id = holder_of_this_thread();
        return held_.load(core::relaxed) == id || held_by_owner_.load(core::relaxed) == id;
    }
    // Resets the lock in the child process of a fork. Does nothing and returns false if this thread holds the lock.
    bool reset_other_threads() noexcept {
        if (is_held_by_this_thread()) return false;
        reset();
        return true;
    }
    // Resets a lock that no thread uses. The next thread that acquires the lock becomes the owner.
    void reset() noexcept {
        held_.store(0);
        held_by_owner_.store(0);
        owner_.store(unbiased);
    }

private:
    // The lock identifies a thread by the number of its shard plus 1. All threads without a shard share the number
    // without_shard, and never become the owner.
    static constexpr std::uint32_t unbiased = 0, last_owner = 0xffff'fff0, without_shard = 0xffff'fff1,
                                   revoking = 0xffff'fff2, revoked = 0xffff'fff3;

    static std::uint32_t holder_of_this_thread() noexcept {
        const shard* own = shard_of_this_thread();
        return own == nullptr ? without_shard : own->number + 1;
    }
    [[gnu::noinline]] bool try_lock_unbiased(std::uint32_t id) noexcept {
        std::uint32_t owner = owner_.load();
        if (owner == unbiased) {
            const bool may_own = id <= last_owner && this_thread_shard.is_light_free;
            if (owner_.compare_exchange(owner, may_own ? id : revoked)) {
                if (may_own) return try_lock();
                owner = revoked;
            }
        }
        // Begins to revoke the bias. The compare-exchange fails if another thread has already begun the revocation.
        if (owner <= last_owner) owner_.compare_and_set(owner, revoking);
        if (owner != revoked) revoke_bias();
        // This load of held_ avoids a failing compare-exchange, which would take the cache line from the holder.
        return held_by_owner_.load(core::seq_cst) == 0 && held_.load(core::seq_cst) == 0 &&
               held_.compare_and_set(0, id);
    }
    [[gnu::cold, gnu::noinline]] void revoke_bias() noexcept {
        core::asymmetric_fence local_fences; // used if this shared object has no pointer to the shards
        const shard_set* set = shards.load();
        if (set == nullptr) local_fences.register_process();
        (set != nullptr ? set->fences : local_fences).heavy(); // pairs with the light fence in try_lock()
        owner_.compare_and_set(revoking, revoked);
    }
    // While held_by_owner_ was set, another thread may have failed to acquire the lock and left its work to this
    // thread. The seq_cst fence makes the other thread's work visible to this thread.
    [[gnu::cold, gnu::noinline]] bool try_lock_after_revocation(std::uint32_t id) noexcept {
        held_by_owner_.store(0);
        core::asymmetric_fence::seq_cst();
        return try_lock_unbiased(id);
    }

    atomic<std::uint32_t> owner_;         // the owner as a holder number, or unbiased, revoking or revoked
    atomic<std::uint32_t> held_by_owner_; // the owner while the owner holds the lock, otherwise 0
    atomic<std::uint32_t> held_;          // the thread that holds the lock without a bias, or 0
};

} // namespace core
} // namespace mpit
