// SPDX-License-Identifier: BSD-3-Clause
// Read-side critical sections for variables and grace periods for dlclose(), as in user-space RCU (Desnoyers et al.,
// IEEE TPDS 2012). A section costs one load and two stores of the thread's own cell. Only dlclose() waits.
//
//   const read_guard guard;  if (record.live.load() != nullptr) ...   // the variable stays until the end of the scope
//   record.live.store(nullptr);  wait_for_grace_period(set);        // no reader uses the variable any more
#pragma once

#include <mpit/concurrency/bounded_wait.hpp>
#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// A reader and a thread in dlclose() use the Dekker pattern over an asymmetric fence. The reader stores reader_state,
// runs the light fence, and loads the pointer to the variable. The thread in dlclose() sets the pointer to null, runs
// the heavy fence, and loads the reader_state of all threads. Therefore the reader loads null, or dlclose() waits for
// the reader. The release store at the end of a section pairs with the loads in wait_for_grace_period().
class read_guard {
public:
    [[gnu::always_inline]] read_guard() noexcept
        : cell_{this_thread_shard.shard != nullptr ? &this_thread_shard.shard->reader_state : cell_of_new_shard()} {
        if (cell_ == nullptr) [[unlikely]]
            return;
        begin();
        // This light fence pairs with the heavy fence in wait_for_grace_period().
        core::asymmetric_fence::light(this_thread_shard.is_light_free);
    }
    read_guard(const read_guard&) = delete;
    read_guard& operator=(const read_guard&) = delete;
    // Ends the section by a store of the next even number. A nested guard restores the number of the outer section.
    [[gnu::always_inline]] ~read_guard() {
        if (cell_ != nullptr) [[likely]]
            cell_->store(previous_ + 2 * (~previous_ & 1));
        else leave_without_shard();
    }

private:
    [[gnu::always_inline]] void begin() noexcept {
        previous_ = cell_->load(core::relaxed);
        // The store is a release, because wait_for_grace_period() may read it instead of the previous section's end.
        cell_->store(previous_ | 1, MPIT_THREAD_SANITIZER ? core::seq_cst : core::release);
    }
    // Finds a shard for this thread, or else counts the thread in readers_without_shard and returns null.
    [[gnu::cold, gnu::noinline]] static atomic<std::uint64_t>* cell_of_new_shard() noexcept {
        if (shard* own = shard_of_this_thread()) return &own->reader_state;
        if (shard_set* set = shards.load()) set->readers_without_shard.fetch_add(1);
        return nullptr;
    }
    // The count is already 0 if a fork or wait_for_grace_period() has ended the section.
    [[gnu::cold, gnu::noinline]] static void leave_without_shard() noexcept {
        shard_set* set = shards.load();
        std::uint32_t readers = set == nullptr ? 0 : set->readers_without_shard.load();
        while (readers != 0 && !set->readers_without_shard.compare_exchange(readers, readers - 1)) {}
    }

    atomic<std::uint64_t>* cell_;
    std::uint64_t previous_ = 0;
};

// A read-side critical section of a few instructions without a function call. The guard stores two constants, so that a
// section does not wait for the store of the previous section. Guards of this class cannot be nested, so a signal
// handler that interrupts a short section uses a read_guard.
class short_read_guard {
public:
    // Returns the cell that marks a short section of this thread. Returns null if the thread is in a short section or
    // has no shard yet, or if a light fence is an instruction.
    [[gnu::always_inline]] static atomic<std::uint32_t>* available_cell() noexcept {
        atomic<std::uint32_t>* const cell = this_thread_shard.short_section;
        return cell != nullptr && cell->load_equals(0) ? cell : nullptr;
    }
    [[gnu::always_inline]] explicit short_read_guard(atomic<std::uint32_t>& cell) noexcept : cell_{cell} {
        cell_.store(1, core::relaxed);
        core::asymmetric_fence::light(true); // pairs with the heavy fence in wait_for_grace_period()
    }
    short_read_guard(const short_read_guard&) = delete;
    short_read_guard& operator=(const short_read_guard&) = delete;
    [[gnu::always_inline]] ~short_read_guard() { cell_.store(0); }

private:
    atomic<std::uint32_t>& cell_;
};

// Returns true if this thread is inside a read_guard, for example if a tool's call runs a function of the library.
[[gnu::cold]] inline bool is_in_read_section() noexcept {
    return this_thread_shard.shard != nullptr && (this_thread_shard.shard->reader_state.load(core::relaxed) & 1) != 0;
}

// Waits for a grace period, in which all current sections of other threads end. Returns false if a section lasts for
// about a second, because the thread in the section may itself wait for the caller. The function also marks the section
// of a read_guard as ended, so that later calls do not wait again for a section that longjmp() has left. The function
// waits a second for each section, because a section may have begun during the wait for another section.
[[gnu::cold]] inline bool wait_for_grace_period(shard_set& set) noexcept {
    set.fences.heavy(); // pairs with the light fences of both guards
    const std::uint64_t self = detail::this_thread_identity();
    bool have_ended = bounded_wait{}.wait_while([&] { return set.readers_without_shard.load(core::seq_cst) != 0; });
    if (!have_ended) set.readers_without_shard.store(0);
    for (shard* reader = set.first.load(); reader != nullptr; reader = reader->next()) {
        const auto is_alive = [&] {
            const std::uint64_t owner = reader->thread();
            return owner != self && !detail::has_ended(owner, self);
        };
        const std::uint64_t section = reader->reader_state.load(core::seq_cst);
        if ((section & 1) != 0) {
            const bool has_ended = bounded_wait{}.wait_while(
                [&] { return reader->reader_state.load(core::seq_cst) == section && is_alive(); });
            if (!has_ended)
                static_cast<void>(reader->reader_state.compare_and_set(section, section + 1)); // fails if it has ended
            have_ended = has_ended && have_ended;
        }
        if (reader->short_section.load(core::seq_cst) != 0) {
            const auto is_reading = [&] { return reader->short_section.load(core::seq_cst) != 0 && is_alive(); };
            have_ended = bounded_wait{}.wait_while(is_reading) && have_ended;
        }
    }
    return have_ended;
}

} // namespace core
} // namespace mpit
