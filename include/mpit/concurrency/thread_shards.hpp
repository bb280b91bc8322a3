// SPDX-License-Identifier: BSD-3-Clause
// Thread shards: every thread counts in cells of its own, so that counting costs a plain addition and threads do not
// disturb each other. A total is the sum over all shards. A shard is never emptied: a new thread takes over the shard
// of a thread that has ended, which keeps every total and needs no code at thread exit; the kernel is asked whether the
// old thread still exists. There are at most twice as many shards as threads were alive during one walk over all
// shards.
//
//   if (shard* mine = own_shard_of_thread()) mine->cell_at(shard::distance_of(number)).add_as_owner(1);
#pragma once

#include <mpit/concurrency/fence.hpp>
#include <mpit/concurrency/thread_storage.h>
#include <mpit/core/spare_words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

struct instance; // of an event

} // namespace internal

namespace MPIT_MODULE_LOCAL core {

// Where a thread keeps an instance of an event during its callbacks.
struct instance_place {
    atomic<std::uint64_t> word; // the handle, or 0
    atomic<const internal::instance*> shown;
    atomic<std::uint32_t> generation;
    atomic<std::uint32_t> depth; // of the delivery's frame on the stack, and its level
};
inline constexpr std::uint32_t deepest_nesting = 256;

// The owner of a shard in a word: its process and its thread, as this_thread_identity() tells them, and in the bits
// that no number of a thread has, how often it has changed. So a compare-exchange with the word of an ended thread
// fails where the kernel has given its number to a later thread.
struct shard_owner {
    static constexpr std::uint64_t changes = 0xffc0'0000'ffc0'0000;
    static constexpr std::uint64_t thread(std::uint64_t word) noexcept { return word & ~changes; }
    static constexpr std::uint64_t next(std::uint64_t word, std::uint64_t thread) noexcept {
        return (((word | ~changes) + 1) & changes) | thread;
    }
};

// The cells of a shard stand in parts of 960 bytes, the first one behind the shard itself. The first parts of 64 shards
// stand side by side in one slab, behind them the second parts, and so on: a sum over many threads walks through 960
// bytes for each instead of a page, and a thread that counts in the first 102 cells touches no more. Every cell has the
// same distance from its shard in all shards.
struct shard_parts {
    static constexpr std::uint32_t shards = 64;
    static constexpr std::uint32_t bytes =
        15 * 64; // an odd number of lines, so that those of many shards fall in all sets of a cache
    static constexpr std::uint32_t first_cells = 102, further_cells = 120;
    static constexpr std::uint32_t stride = shards * bytes; // from a part to the next one of the same shard
};

// Shared, because a thread has one shard for the libraries and the tools of all copies: a tool adds up what any of them
// has counted, and an unload waits for the reads of all of them. The first line is written by its thread, the second
// one never changes.
struct alignas(64) shard {
    static constexpr std::uint32_t successor_count = 7;

    atomic<std::uint64_t> owner;         // the thread is 0 where a fork has left it behind
    atomic<std::uint64_t> reader_state;  // odd while the thread is a reader; each guard has another number
    atomic<std::uint64_t> nesting;       // instances that are shown
    instance_place* instances = nullptr; // behind the cells, so that a thread without events does not touch their pages
    atomic<std::uint32_t> quick_state;   // 1 while the thread reads in a few instructions
    core::spare_words<3> spare;
    // The shards behind this one, so that a sum over many has seven loads under way instead of one.
    alignas(64) shard* successors[successor_count] = {};
    std::uint32_t number = 0; // beside the first successor, because a sum over few shards reads both

    shard* next() const noexcept { return successors[0]; }
    void link_before(shard* first) noexcept {
        successors[0] = first;
        for (std::uint32_t i = 1; i < successor_count; i++)
            successors[i] = first != nullptr ? first->successors[i - 1] : nullptr;
    }
    // Calls `visit(shard)` for this shard and all behind it.
    template <class Visit> [[gnu::always_inline]] static void for_each(const shard* first, Visit visit) noexcept {
        for (const shard* each = first; each != nullptr; each = each->successors[successor_count - 1]) {
            visit(*each);
            for (std::uint32_t i = 0; i + 1 < successor_count; i++) {
                if (each->successors[i] == nullptr) return;
                visit(*each->successors[i]);
            }
        }
    }

    std::uint64_t thread() const noexcept { return shard_owner::thread(owner.load()); }
    // The cells are those of counters, and behind them those in which the thread announces itself to registrations. A
    // cell is found by its distance from its shard in bytes; that of a larger number is larger.
    static constexpr std::uint32_t distance_of(std::uint32_t number) noexcept;
    // How many cells from this one on stand one behind the other.
    static constexpr std::uint32_t cells_from(std::uint32_t distance) noexcept;
    // The first number from this one on at which `count` cells stand one behind the other, or that of a part for more
    // than a part has.
    static constexpr std::uint32_t room_for(std::uint32_t count, std::uint32_t number) noexcept;
    atomic<std::uint64_t>& cell_at(std::uint64_t distance) noexcept {
        return *reinterpret_cast<atomic<std::uint64_t>*>(reinterpret_cast<char*>(this) + distance);
    }
    const atomic<std::uint64_t>& cell_at(std::uint64_t distance) const noexcept {
        return const_cast<shard*>(this)->cell_at(distance);
    }
};
static_assert(sizeof(shard) == 128);
static_assert(sizeof(shard) + shard_parts::first_cells * sizeof(std::uint64_t) <= shard_parts::bytes);

inline constexpr std::uint32_t no_shard_cell = 0xffffffff; // neither a number nor a distance

constexpr std::uint32_t shard::distance_of(std::uint32_t number) noexcept {
    using parts = shard_parts;
    constexpr std::uint32_t cell = sizeof(atomic<std::uint64_t>), most = 1u << 22; // so that a distance fits in 32 bits
    if (number < parts::first_cells) return static_cast<std::uint32_t>(sizeof(shard)) + number * cell;
    const std::uint32_t further = number - parts::first_cells;
    return number < most ? (further / parts::further_cells + 1) * parts::stride + further % parts::further_cells * cell
                         : no_shard_cell;
}
constexpr std::uint32_t shard::cells_from(std::uint32_t distance) noexcept {
    using parts = shard_parts;
    constexpr std::uint32_t cell = sizeof(atomic<std::uint64_t>);
    const std::uint32_t end =
        distance < parts::stride ? distance_of(0) + parts::first_cells * cell : parts::further_cells * cell;
    return (end - distance % parts::stride) / cell;
}
constexpr std::uint32_t shard::room_for(std::uint32_t count, std::uint32_t number) noexcept {
    using parts = shard_parts;
    const std::uint32_t distance = distance_of(number);
    if (distance == no_shard_cell) return number;
    const std::uint32_t left = cells_from(distance);
    const bool begins_a_part = number == 0 || (number >= parts::first_cells && left == parts::further_cells);
    return count <= left || begins_a_part ? number : number + left;
}

// The shards of the process, in the registry. Shared, because all copies give out shards and cells, and each of them
// walks over all shards. What a read of a tool needs is on the first line, what a new thread or a new variable changes
// on the second one.
struct alignas(64) shard_set {
    atomic<shard*> first;
    atomic<std::uint64_t> key; // under which threads keep their shards (concurrency/shard_walks.hpp)
    std::uint32_t cells_end;   // the distance of the first cell that is none of counters
    std::uint32_t cell_count;  // of counters, in every shard: as the copy that made the registry decided
    core::fence_pair fences;   // between readers and the unloads that wait for them
    core::spare_words<2> spare;

    alignas(64) atomic<shard*> candidate; // where the search for a shard whose thread has ended continues
    atomic<std::uint64_t> next_place;     // the address of the slab with room for shards, and how many of it are taken
    atomic<std::uint32_t> shard_count, shard_limit; // the second one grows where all shards were found in use
    atomic<std::uint32_t> next_cell, next_in_flight_cell;
    atomic<std::uint32_t> readers_without_shard;

    // The first of so many new cells.
    std::uint32_t take_cells(std::uint32_t count) noexcept {
        if (count == 1) return next_cell.fetch_add(1);
        std::uint32_t next = next_cell.load(), begin = 0;
        do begin = shard::room_for(count, next);
        while (!next_cell.compare_exchange(next, begin + count));
        return begin;
    }
    // Called before the set is shared.
    void begin(std::uint32_t cells) noexcept {
        cell_count = cells;
        cells_end = shard::distance_of(cells);
        fences.decide();
    }
    std::uint32_t in_flight_cell_count() const noexcept { return cell_count / 4; }
    // Of a slab: all parts of its shards, and behind them their places for instances.
    std::size_t bytes_before_instances() const noexcept {
        const std::uint32_t last = shard::distance_of(cell_count + in_flight_cell_count());
        return (last / shard_parts::stride + std::size_t{1}) * shard_parts::stride;
    }
    std::size_t bytes_of_slab() const noexcept {
        return bytes_before_instances() + shard_parts::shards * deepest_nesting * sizeof(instance_place);
    }
    // Forgets what a thread that is no more was doing; what it has counted stays.
    [[gnu::cold, gnu::noinline]] void forget_activity(shard& ended) const noexcept {
        ended.reader_state.store(0);
        ended.quick_state.store(0);
        ended.nesting.store(0);
        // A page that was never written stays without memory.
        for (std::uint32_t i = 0; i < deepest_nesting; i++)
            if (ended.instances[i].word.load() != 0) ended.instances[i].word.store(0);
        const std::uint32_t taken = next_in_flight_cell.load();
        for (std::uint32_t i = 0; i < taken && i < in_flight_cell_count(); i++)
            ended.cell_at(shard::distance_of(cell_count + i)).store(0);
    }
};

// This shared object's way to the shards; null until its first tree is registered.
inline constinit atomic<shard_set*> shards{nullptr};

struct own_shard {
    shard* there = nullptr;
    std::uint32_t cells_end = 0;                  // as that of all shards, once this thread has one
    bool has_free_fences = false;                 // the light ones
    atomic<std::uint32_t>* quick_state = nullptr; // of its shard, if it has free fences

    atomic<std::uint64_t>& cell_at(std::uint32_t distance) const noexcept { return there->cell_at(distance); }
};
inline constinit thread_local own_shard this_thread_shard [[gnu::tls_model(MPIT_THREAD_STORAGE)]]{};

namespace MPIT_MODULE_LOCAL detail {

// With one function, because the loader searches for each in each process.
inline std::uint64_t this_thread_identity() noexcept {
    return static_cast<std::uint64_t>(syscall(SYS_getpid)) << 32 | static_cast<std::uint32_t>(syscall(SYS_gettid));
}

// A shard of another process, which a fork has copied, may still be counted in by the thread that forked.
inline bool has_ended(std::uint64_t identity, std::uint64_t mine) noexcept {
    if (identity == 0) return true;
    if (identity >> 32 != mine >> 32) return false;
    const auto process = static_cast<pid_t>(identity >> 32), thread = static_cast<pid_t>(identity & 0xffffffff);
    const int kept = errno;
    const bool is_gone = syscall(SYS_tgkill, process, thread, 0) != 0 && errno == ESRCH;
    errno = kept;
    return is_gone;
}

// Gives this thread a shard, or none if there is no memory or the thread has no number. Safe in a signal handler: at
// worst a thread has two. (shard_walks.hpp)
[[gnu::cold]] void find_shard(shard_set& set) noexcept;

// Whether this thread has a cell at the distance, in the shard that it is given if it has none yet.
[[gnu::cold]] inline bool has_shard_cell(std::uint32_t distance) noexcept {
    shard_set* set = shards.load();
    if (set == nullptr || distance >= set->cells_end) return false;
    if (this_thread_shard.there == nullptr) find_shard(*set);
    return distance < this_thread_shard.cells_end;
}

} // namespace detail

// The shard of this thread if it has one already, or null.
inline shard* present_shard() noexcept { return this_thread_shard.there; }
// The shard of this thread; null without memory.
inline shard* own_shard_of_thread() noexcept {
    if (this_thread_shard.there == nullptr) [[unlikely]]
        if (shard_set* set = shards.load()) detail::find_shard(*set);
    return present_shard();
}

} // namespace core
} // namespace mpit
