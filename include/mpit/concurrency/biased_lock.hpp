// SPDX-License-Identifier: BSD-3-Clause
// A biased try-lock, for work that one thread does most of the time (Kawachiya, Koseki and Onodera, "Lock Reservation",
// OOPSLA 2002). The first thread that takes the lock becomes its owner, which takes and releases it by plain stores.
// Once another thread tries to take it, the bias is revoked: the kernel runs a fence on every processor, about a
// microsecond, and from then on every thread pays two locked instructions. No thread waits. Async-signal-safe.
//
//   leave_work();
//   if (lock.try_lock()) { do_work(); lock.unlock(); if (work_is_left()) ...; }   // otherwise the holder does the work
#pragma once

#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The owner and a thread that revokes the bias exclude each other by the Dekker pattern over an asymmetric fence: the
// owner stores held_by_owner_, runs the light fence, and reads owner_; the other thread stores owner_, runs the heavy
// fence, and reads held_by_owner_. The work of a refused thread is seen by the same pattern: it stores its work and
// then reads that the lock is held; the holder releases the lock, runs a light fence (a seq_cst fence if it reads that
// the bias was revoked), and then reads whether work is left. Its release pairs with the loads in try_lock_unbiased().
class biased_lock {
public:
    // False if a thread holds the lock, this one included; also for the moment in which a former owner, which then
    // tries again, reads that its bias was revoked.
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
    // True if a second thread has tried to take the lock.
    bool is_bias_revoked() const noexcept { return owner_.load_exceeds(last_owner); }
    // True if this thread holds the lock.
    bool is_held_by_this_thread() const noexcept {
        const std::uint32_t id = holder_of_this_thread();
        return held_.load(core::relaxed) == id || held_by_owner_.load(core::relaxed) == id;
    }
    // For the one thread of a child after a fork. Returns false, and changes nothing, if this thread holds the lock.
    bool reset_other_threads() noexcept {
        if (is_held_by_this_thread()) return false;
        reset();
        return true;
    }
    // Releases a lock that no thread uses. The next thread that takes it becomes its owner.
    void reset() noexcept {
        held_.store(0);
        held_by_owner_.store(0);
        owner_.store(unbiased);
    }

private:
    // A holder is the number of a thread's shard plus 1; threads without a shard share one value and own nothing.
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
        // Fails if another thread has begun the revocation.
        if (owner <= last_owner) owner_.compare_and_set(owner, revoking);
        if (owner != revoked) revoke_bias();
        // The load of held_ before the compare-exchange leaves the cache line with the thread that holds the lock.
        return held_by_owner_.load(core::seq_cst) == 0 && held_.load(core::seq_cst) == 0 &&
               held_.compare_and_set(0, id);
    }
    [[gnu::cold, gnu::noinline]] void revoke_bias() noexcept {
        core::asymmetric_fence local_fences; // for a shared object that has no pointer to the shards
        const shard_set* set = shards.load();
        if (set == nullptr) local_fences.register_process();
        (set != nullptr ? set->fences : local_fences).heavy(); // pairs with the light fence in try_lock()
        owner_.compare_and_set(revoking, revoked);
    }
    // The fence makes the work visible of a thread that was refused because this one seemed to hold the lock.
    [[gnu::cold, gnu::noinline]] bool try_lock_after_revocation(std::uint32_t id) noexcept {
        held_by_owner_.store(0);
        core::asymmetric_fence::seq_cst();
        return try_lock_unbiased(id);
    }

    atomic<std::uint32_t> owner_;         // the owner, or unbiased, revoking, revoked
    atomic<std::uint32_t> held_by_owner_; // the owner if it holds the lock, or 0
    atomic<std::uint32_t> held_;          // another thread that holds the lock, or 0
};

} // namespace core
} // namespace mpit
