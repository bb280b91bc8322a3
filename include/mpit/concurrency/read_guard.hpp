// SPDX-License-Identifier: BSD-3-Clause
// Marks this thread as a reader of variables, so that dlclose() can wait for it. A guard costs a load and two stores of
// the thread's own cells; only an unload waits.
//
//   const read_guard reading;  if (record.live.load() != nullptr) …          // the variable stays until the end of the scope
//   record.live.store(nullptr);  wait_for_readers(set);          // no reader uses the variable any more
#pragma once

#include <mpit/concurrency/bounded_wait.hpp>
#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

class read_guard {
public:
    [[gnu::always_inline]] read_guard() noexcept
        : cell_{this_thread_shard.there != nullptr ? &this_thread_shard.there->reader_state : cell_of_new_shard()} {
        if (cell_ == nullptr) [[unlikely]]
            return;
        begin();
        core::fence_pair::light(this_thread_shard.has_free_fences);
    }
    read_guard(const read_guard&) = delete;
    read_guard& operator=(const read_guard&) = delete;
    // A guard in a signal handler that has interrupted another one is a part of it.
    [[gnu::always_inline]] ~read_guard() {
        if (cell_ != nullptr) [[likely]]
            cell_->store(previous_ + 2 * (~previous_ & 1));
        else leave_without_shard();
    }

private:
    [[gnu::always_inline]] void begin() noexcept {
        previous_ = cell_->load(core::relaxed);
        // A thread that waits may read this store in place of the one that ended the guard before.
        cell_->store(previous_ | 1, MPIT_THREAD_SANITIZER ? core::sequential : core::release);
    }
    // Returns null if there is no memory: then the thread is counted with others.
    [[gnu::cold, gnu::noinline]] static atomic<std::uint64_t>* cell_of_new_shard() noexcept {
        if (shard* made = own_shard_of_thread()) return &made->reader_state;
        if (shard_set* set = shards.load()) set->readers_without_shard.fetch_add(1);
        return nullptr;
    }
    [[gnu::cold, gnu::noinline]] static void leave_without_shard() noexcept {
        if (shard_set* set = shards.load()) set->readers_without_shard.fetch_add(-1u);
    }

    atomic<std::uint64_t>* cell_;
    std::uint64_t previous_ = 0;
};

// A guard for a few instructions that call nothing. It stores two constants, so that no call waits for the store of the
// one before; a signal handler that has interrupted one takes a read_guard.
class quick_guard {
public:
    // The cell for a guard; null until the thread has had a read_guard, without free fences, and within another
    // quick_guard.
    [[gnu::always_inline]] static atomic<std::uint32_t>* free_cell() noexcept {
        atomic<std::uint32_t>* const cell = this_thread_shard.quick_state;
        return cell != nullptr && cell->has(0) ? cell : nullptr;
    }
    [[gnu::always_inline]] explicit quick_guard(atomic<std::uint32_t>& cell) noexcept : cell_{cell} {
        cell_.store(1, core::relaxed);
        core::fence_pair::light(true);
    }
    quick_guard(const quick_guard&) = delete;
    quick_guard& operator=(const quick_guard&) = delete;
    [[gnu::always_inline]] ~quick_guard() { cell_.store(0); }

private:
    atomic<std::uint32_t>& cell_;
};

// Whether this thread is inside of a guard: in a function of a variable that a call of a tool has called.
[[gnu::cold]] inline bool is_this_thread_reading() noexcept {
    return this_thread_shard.there != nullptr && (this_thread_shard.there->reader_state.load(core::relaxed) & 1) != 0;
}

// Returns when every guard of another thread that exists now has ended; false if one lasts for about a second:
// it may itself wait for what the caller holds. That guard is ended in the thread's stead: if it was left by longjmp(),
// nothing else ends it, and each later call would wait for it again. The thread's next guard is an ordinary one.
[[gnu::cold]] inline bool wait_for_readers(const shard_set& set) noexcept {
    set.fences.heavy();
    const core::bounded_wait waiting;
    const std::uint64_t mine = detail::this_thread_identity();
    bool have_left = waiting.wait_while([&] { return set.readers_without_shard.load(core::sequential) != 0; });
    for (shard* l = set.first.load(); l != nullptr; l = l->next()) {
        const auto is_alive = [&] {
            const std::uint64_t owner = l->thread();
            return owner != mine && !detail::has_ended(owner, mine);
        };
        const std::uint64_t look = l->reader_state.load(core::sequential);
        if ((look & 1) != 0) {
            const bool has_ended =
                waiting.wait_while([&] { return l->reader_state.load(core::sequential) == look && is_alive(); });
            if (!has_ended)
                static_cast<void>(l->reader_state.replace(look, look + 1)); // fails where it has ended after all
            have_left = has_ended && have_left;
        }
        if (l->quick_state.load(core::sequential) != 0)
            have_left = waiting.wait_while([&] { return l->quick_state.load(core::sequential) != 0 && is_alive(); }) &&
                        have_left;
    }
    return have_left;
}

} // namespace core
} // namespace mpit
