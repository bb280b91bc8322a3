// SPDX-License-Identifier: BSD-3-Clause
// Counts the deliveries in flight to a registration. Each thread counts in a cell of its own, so that threads do not
// disturb each other; the thread that ends the registration can tell when the last delivery has left.
//
//   atomic<std::uint64_t>& mine = in_flight.enter();  …  in_flight.leave(mine);   if (in_flight.is_empty()) …
#pragma once

#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

class in_flight_count {
public:
    // The cell in which this thread has counted itself. It reads afterwards what others wrote before they
    // read the cells, or they find it.
    core::atomic<std::uint64_t>& enter() noexcept {
        const std::uint32_t distance = distance_.load(core::relaxed);
        core::shard* mine = core::own_shard_of_thread();
        if (mine == nullptr || distance == core::no_shard_cell) [[unlikely]] {
            add_shared(1);
            return shared_;
        }
        core::atomic<std::uint64_t>& cell = mine->cell_at(distance);
        add(cell, 1);
        return cell;
    }
    void leave(core::atomic<std::uint64_t>& cell) noexcept {
        if (&cell == &shared_) [[unlikely]]
            return add_shared(static_cast<std::uint64_t>(-1));
        add(cell, static_cast<std::uint64_t>(-1));
    }

    // Counts this thread for the length of a block, also where the block is left by an exception, or by the end of the
    // thread.
    class visit {
    public:
        [[gnu::always_inline]] explicit visit(in_flight_count& count) noexcept : count_{count}, cell_{count.enter()} {}
        [[gnu::always_inline]] ~visit() { count_.leave(cell_); }
        visit(const visit&) = delete;
        visit& operator=(const visit&) = delete;

    private:
        in_flight_count& count_;
        core::atomic<std::uint64_t>& cell_;
    };

    // A thread that has ended inside does not count.
    bool is_empty() const noexcept {
        if (shared_.load(core::sequential) != 0) return false;
        const core::shard_set* set = core::shards.load();
        const std::uint32_t distance = distance_.load();
        if (set == nullptr || distance == core::no_shard_cell) return true;
        for (core::shard* l = set->first.load(); l != nullptr; l = l->next())
            if (l->cell_at(distance).load(core::sequential) != 0 &&
                !core::detail::has_ended(l->thread(), core::detail::this_thread_identity()))
                return false;
        return true;
    }
    void assign_cell() noexcept {
        core::shard_set* set = core::shards.load();
        if (set == nullptr) return;
        is_one_sided_ = set->fences.is_one_sided();
        const std::uint32_t taken = set->next_in_flight_cell.fetch_add(1);
        if (taken < set->in_flight_cell_count()) distance_.store(core::shard::distance_of(set->cell_count + taken));
        else set->next_in_flight_cell.store(set->in_flight_cell_count()); // so that it never wraps
    }
    // After a fork: deliveries without a shard may be of threads of the other process.
    void forget_other_threads() noexcept { shared_.store(0); }

private:
    [[gnu::always_inline]] void add(core::atomic<std::uint64_t>& cell, std::uint64_t n) noexcept {
        __asm__ __volatile__("" ::: "memory");
        cell.add_as_owner(n, core::sequential);
        core::fence_pair::light(is_one_sided_);
    }
    [[gnu::cold, gnu::noinline]] void add_shared(std::uint64_t n) noexcept {
        shared_.fetch_add(n);
        core::fence_pair::light(is_one_sided_);
    }

    core::atomic<std::uint64_t> shared_;
    core::atomic<std::uint32_t> distance_{core::no_shard_cell}; // of its cell in every shard
    bool is_one_sided_ = false;                                 // the fences
};

} // namespace internal
} // namespace mpit
