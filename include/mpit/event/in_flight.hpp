// SPDX-License-Identifier: BSD-3-Clause
// Counts the deliveries in flight, which may be running a registration's callback. Each thread counts in a cell of its
// own shard, so that threads share no cache line. A thread that frees a registration reads the cells of all shards.
//
//   atomic<std::uint64_t>& cell = in_flight.enter();  ...  in_flight.leave(cell);   if (in_flight.is_empty()) ...
#pragma once

#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

class in_flight_count {
public:
    // Adds a delivery to this thread's count, and returns the cell of the count. enter() and leave() are one side of a
    // Dekker pattern with asymmetric fences (P1202). A delivering thread stores to its cell, runs the light fence, and
    // then loads `word` or `closing` of the subscription. The thread that frees the registration stores to `word` or
    // `closing`, runs the heavy fence in event_handles::end(), and then loads the cells in is_empty().
    core::atomic<std::uint64_t>& enter() noexcept {
        const std::uint32_t offset = offset_.load(core::relaxed);
        core::shard* thread_shard = core::shard_of_this_thread();
        if (thread_shard == nullptr || offset == core::no_shard_cell) [[unlikely]] {
            add_shared(1);
            return shared_;
        }
        core::atomic<std::uint64_t>& cell = thread_shard->cell_at(offset);
        add(cell, 1);
        return cell;
    }
    void leave(core::atomic<std::uint64_t>& cell) noexcept {
        if (&cell == &shared_) [[unlikely]]
            return add_shared(static_cast<std::uint64_t>(-1));
        add(cell, static_cast<std::uint64_t>(-1));
    }

    // Counts a delivery as in flight until the end of a block, even if an exception or pthread_exit() leaves the block.
    class scope {
    public:
        [[gnu::always_inline]] explicit scope(in_flight_count& count) noexcept : count_{count}, cell_{count.enter()} {}
        [[gnu::always_inline]] ~scope() { count_.leave(cell_); }
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;

    private:
        in_flight_count& count_;
        core::atomic<std::uint64_t>& cell_;
    };

    // Returns true if no delivery is in flight. Ignores the cells of threads that have ended.
    bool is_empty() const noexcept {
        if (shared_.load(core::seq_cst) != 0) return false;
        const core::shard_set* set = core::shards.load();
        const std::uint32_t offset = offset_.load();
        if (set == nullptr || offset == core::no_shard_cell) return true;
        for (core::shard* shard = set->first.load(); shard != nullptr; shard = shard->next())
            if (shard->cell_at(offset).load(core::seq_cst) != 0 &&
                !core::detail::has_ended(shard->thread(), core::detail::this_thread_identity()))
                return false;
        return true;
    }
    void assign_cell() noexcept {
        core::shard_set* set = core::shards.load();
        if (set == nullptr) return;
        is_light_free_ = set->fences.is_light_free();
        const std::uint32_t index = set->next_in_flight_cell.fetch_add(1);
        if (index < set->in_flight_cell_count()) offset_.store(core::shard::offset_of(set->cell_count + index));
        else set->next_in_flight_cell.store(set->in_flight_cell_count()); // so that it never wraps
    }
    // In the child of a fork, clears the shared count, because the threads that it counts may exist only in the parent.
    void reset_other_threads() noexcept { shared_.store(0); }

private:
    [[gnu::always_inline]] void add(core::atomic<std::uint64_t>& cell, std::uint64_t change) noexcept {
        __asm__ __volatile__("" ::: "memory");
        cell.add_as_owner(change, core::seq_cst);
        core::asymmetric_fence::light(is_light_free_);
    }
    [[gnu::cold, gnu::noinline]] void add_shared(std::uint64_t change) noexcept {
        shared_.fetch_add(change);
        core::asymmetric_fence::light(is_light_free_);
    }

    core::atomic<std::uint64_t> shared_; // deliveries of threads without a shard, or all if no cell was left
    core::atomic<std::uint32_t> offset_{core::no_shard_cell}; // offset of the cell in every shard, in bytes
    bool is_light_free_ = false;                              // true if the light fence is a compiler barrier only
};

} // namespace internal
} // namespace mpit
