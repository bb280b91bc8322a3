// SPDX-License-Identifier: BSD-3-Clause
// A lock that is only tried, for work that one thread does most of the time. The first thread that takes it becomes its
// owner, which takes and releases it by plain stores. Once another thread tries, the kernel runs a fence on every
// processor, about a microsecond, and from then on every thread pays two locked instructions (biased locking). No
// thread waits. Async-signal-safe.
//
//   leave_work(); if (lock.try_lock()) { do_work(); lock.unlock(); if (work_is_left()) …; }   // a refused thread has left its work
#pragma once

#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The owner writes that it holds the lock, and then reads whether it still is the owner. A thread that ends the
// ownership writes so, runs the heavy fence, and then reads whether the owner holds the lock. An owner that reads after
// its release that the ownership has ended runs a fence, so that it sees the work of the threads that were refused.
class biased_lock {
public:
    // False if a thread holds the lock, this one included; also for the moment in which a former owner, which then
    // tries again, finds that the ownership has ended.
    [[gnu::always_inline]] bool try_lock() noexcept {
        const std::uint32_t me = this_holder();
        if (!owner_.has(me)) [[unlikely]]
            return try_as_any(me);
        if (!held_by_owner_.has(0)) return false;
        held_by_owner_.store(me, core::relaxed);
        core::fence_pair::light(true);
        return owner_.has(me) || try_as_former_owner(me);
    }
    [[gnu::always_inline]] void unlock() noexcept {
        if (!held_.has(0)) [[unlikely]]
            return held_.store(0, core::sequential);
        held_by_owner_.store(0);
        core::fence_pair::light(true);
        if (is_shared()) [[unlikely]]
            core::fence_pair::whole();
    }
    // Whether a second thread has tried.
    bool is_shared() const noexcept { return owner_.exceeds(last_owner); }
    // Whether this thread holds the lock.
    bool is_held_here() const noexcept {
        const std::uint32_t me = this_holder();
        return held_.load(core::relaxed) == me || held_by_owner_.load(core::relaxed) == me;
    }
    // After a fork, for the one thread of the child. Returns false if this thread holds the lock.
    bool forget_other_threads() noexcept {
        if (is_held_here()) return false;
        reset();
        return true;
    }
    // For a lock that no thread uses. The next thread that takes it becomes its owner.
    void reset() noexcept {
        held_.store(0);
        held_by_owner_.store(0);
        owner_.store(nobody);
    }

private:
    // Threads are known by the numbers of their shards plus one; those without a shard look alike and own nothing.
    static constexpr std::uint32_t nobody = 0, last_owner = 0xffff'fff0, nameless = 0xffff'fff1, ending = 0xffff'fff2,
                                   everybody = 0xffff'fff3;

    static std::uint32_t this_holder() noexcept {
        const shard* mine = own_shard_of_thread();
        return mine == nullptr ? nameless : mine->number + 1;
    }
    [[gnu::noinline]] bool try_as_any(std::uint32_t me) noexcept {
        std::uint32_t owner = owner_.load();
        if (owner == nobody) {
            const bool may_own = me <= last_owner && this_thread_shard.has_free_fences;
            if (owner_.compare_exchange(owner, may_own ? me : everybody)) {
                if (may_own) return try_lock();
                owner = everybody;
            }
        }
        // Another thread may have replaced it already.
        if (owner <= last_owner) owner_.replace(owner, ending);
        if (owner != everybody) end_ownership();
        // A load before the exchange leaves the cache line with the thread that holds the lock.
        return held_by_owner_.load(core::sequential) == 0 && held_.load(core::sequential) == 0 && held_.replace(0, me);
    }
    [[gnu::cold, gnu::noinline]] void end_ownership() noexcept {
        core::fence_pair own; // of a shared object that has no way to the shards
        const shard_set* set = shards.load();
        if (set == nullptr) own.decide();
        (set != nullptr ? set->fences : own).heavy();
        owner_.replace(ending, everybody);
    }
    // A thread that was refused a moment ago has left its work before, which the fence shows.
    [[gnu::cold, gnu::noinline]] bool try_as_former_owner(std::uint32_t me) noexcept {
        held_by_owner_.store(0);
        core::fence_pair::whole();
        return try_as_any(me);
    }

    atomic<std::uint32_t> owner_;
    atomic<std::uint32_t> held_by_owner_; // its number, or 0
    atomic<std::uint32_t> held_;          // the number of any other one that holds the lock
};

} // namespace core
} // namespace mpit
