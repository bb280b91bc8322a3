// SPDX-License-Identifier: BSD-3-Clause
// Shards are the counters of single threads (as in folly's ThreadCachedInt). A thread counts in the cells of its own
// shard, so that counting costs a plain addition and threads do not contend for cache lines. The total of a counter is
// the sum over all shards. A new thread takes over the shard of an ended thread and the counts in the shard, so that no
// count is lost and no code runs at thread exit. A system call tells whether the thread of a shard still exists. The
// number of shards is at most twice the number of threads that were alive during one walk over all shards.
//
//   if (shard* own = shard_of_this_thread()) own->cell_at(shard::offset_of(number)).add_as_owner(1);
#pragma once

#include <mpit/concurrency/fence.hpp>
#include <mpit/concurrency/thread_storage.h>
#include <mpit/core/spare_words.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

struct instance; // an instance of an event (event/instance.hpp)

} // namespace internal

namespace MPIT_MODULE_LOCAL core {

// Holds the handle of an event instance while a thread runs callbacks for this instance.
struct instance_slot {
    atomic<std::uint64_t> word;              // the handle of the instance, or 0
    atomic<const internal::instance*> shown; // the instance of the event
    atomic<std::uint32_t> generation;
    atomic<std::uint32_t> depth; // stack depth and safety level of the delivery
};
inline constexpr std::uint32_t max_nesting = 256;

// The owner of a shard as a word, which combines the process id and the thread id (see this_thread_identity()) with an
// ABA tag. The tag counts the changes of the owner. A compare-exchange that takes over the shard of an ended thread
// therefore fails if another thread has owned the shard meanwhile, even a thread with the same id.
struct shard_owner {
    static constexpr std::uint64_t tag_mask = 0xffc0'0000'ffc0'0000;
    static constexpr std::uint64_t thread(std::uint64_t word) noexcept { return word & ~tag_mask; }
    static constexpr std::uint64_t next(std::uint64_t word, std::uint64_t thread) noexcept {
        return (((word | ~tag_mask) + 1) & tag_mask) | thread;
    }
};

// The cells of a shard are in parts of 960 bytes. The first part begins with the `shard` itself. A slab contains the
// first parts of 64 shards one after the other, then the second parts of all 64 shards, and so on. Therefore the cells
// of one counter are only 960 bytes apart, and a sum over all shards touches few pages. A thread that counts only in
// the first 102 cells touches one part. The offset of a cell from the start of the shard is the same in all shards.
struct shard_parts {
    static constexpr std::uint32_t shards = 64;
    static constexpr std::uint32_t bytes = 15 * 64; // an odd number of cache lines, so that shards use all cache sets
    static constexpr std::uint32_t first_cells = 102, further_cells = 120;
    static constexpr std::uint32_t stride = shards * bytes; // bytes from a part to the next part of the same shard
};

// The shard of one thread. All libraries and tools of a process share it. A tool can therefore add the counts of all
// libraries, and dlclose() waits for readers in all libraries. Only the thread of the shard writes the first cache line
// of the shard. The second cache line is constant after the shard is published.
struct alignas(64) shard {
    static constexpr std::uint32_t successor_count = 7;

    atomic<std::uint64_t> owner;         // a shard_owner word, with thread 0 if a fork has not copied the thread
    atomic<std::uint64_t> reader_state;  // odd in a read-side critical section, with a new number for each section
    atomic<std::uint64_t> nesting;       // the number of event instances in use
    instance_slot* instances = nullptr;  // after the cells, in pages that a thread without events does not touch
    atomic<std::uint32_t> short_section; // 1 within a short_read_guard
    core::spare_words<3> spare;
    // The next seven shards of the list, so that a sum over many shards loads seven cells at once instead of one.
    alignas(64) shard* successors[successor_count] = {};
    std::uint32_t number = 0; // index of the shard, in the cache line of successors[0] for total_of_few()

    shard* next() const noexcept { return successors[0]; }
    void link_before(shard* first) noexcept {
        successors[0] = first;
        for (std::uint32_t i = 1; i < successor_count; i++)
            successors[i] = first != nullptr ? first->successors[i - 1] : nullptr;
    }
    // Calls `visit(shard)` for `first` and for all later shards of the list.
    template <class Visit> [[gnu::always_inline]] static void for_each(const shard* first, Visit visit) noexcept {
        for (const shard* group = first; group != nullptr; group = group->successors[successor_count - 1]) {
            visit(*group);
            for (std::uint32_t i = 0; i + 1 < successor_count; i++) {
                if (group->successors[i] == nullptr) return;
                visit(*group->successors[i]);
            }
        }
    }

    std::uint64_t thread() const noexcept { return shard_owner::thread(owner.load()); }
    // Returns the offset of a cell in the shard, in bytes. The offset grows with the number of the cell. Counters use
    // the first cells, and the in-flight counts of event registrations (event/in_flight.hpp) use the remaining cells.
    static constexpr std::uint32_t offset_of(std::uint32_t number) noexcept;
    // Returns the number of contiguous cells that begin with the cell at an offset.
    static constexpr std::uint32_t contiguous_cells_at(std::uint32_t offset) noexcept;
    // Returns the lowest cell number, not below `number`, at which `count` contiguous cells begin. If no part has
    // `count` cells, returns the lowest number at which a part begins.
    static constexpr std::uint32_t first_contiguous(std::uint32_t count, std::uint32_t number) noexcept;
    atomic<std::uint64_t>& cell_at(std::uint64_t offset) noexcept {
        return *reinterpret_cast<atomic<std::uint64_t>*>(reinterpret_cast<char*>(this) + offset);
    }
    const atomic<std::uint64_t>& cell_at(std::uint64_t offset) const noexcept {
        return const_cast<shard*>(this)->cell_at(offset);
    }
};
static_assert(sizeof(shard) == 128);
static_assert(sizeof(shard) + shard_parts::first_cells * sizeof(std::uint64_t) <= shard_parts::bytes);

inline constexpr std::uint32_t no_shard_cell = 0xffffffff; // neither the number nor the offset of a cell

constexpr std::uint32_t shard::offset_of(std::uint32_t number) noexcept {
    using parts = shard_parts;
    constexpr std::uint32_t cell = sizeof(atomic<std::uint64_t>), end = 1u << 22; // keeps an offset within 32 bits
    if (number < parts::first_cells) return static_cast<std::uint32_t>(sizeof(shard)) + number * cell;
    const std::uint32_t further = number - parts::first_cells;
    return number < end ? (further / parts::further_cells + 1) * parts::stride + further % parts::further_cells * cell
                        : no_shard_cell;
}
constexpr std::uint32_t shard::contiguous_cells_at(std::uint32_t offset) noexcept {
    using parts = shard_parts;
    constexpr std::uint32_t cell = sizeof(atomic<std::uint64_t>);
    const std::uint32_t end =
        offset < parts::stride ? offset_of(0) + parts::first_cells * cell : parts::further_cells * cell;
    return (end - offset % parts::stride) / cell;
}
constexpr std::uint32_t shard::first_contiguous(std::uint32_t count, std::uint32_t number) noexcept {
    using parts = shard_parts;
    const std::uint32_t offset = offset_of(number);
    if (offset == no_shard_cell) return number;
    const std::uint32_t remaining = contiguous_cells_at(offset);
    const bool begins_a_part =
        number >= parts::first_cells ? remaining == parts::further_cells : number == 0 && count > parts::further_cells;
    return count <= remaining || begins_a_part ? number : number + remaining;
}

// The shards of the process, in the registry. All libraries and tools of a process share this set, because each of them
// allocates shards and cells and visits all shards. A tool that reads variables loads only the first cache line of the
// shard_set. New threads and new variables change only the second cache line.
struct alignas(64) shard_set {
    atomic<shard*> first;      // the list of all shards, to which new_shard() adds a shard
    atomic<std::uint64_t> key; // the pthread key under which a thread stores its shard, plus 1 (thread_specific_shard)
    std::uint32_t cells_end;   // the offset at which the cells of counters end
    std::uint32_t cell_count;  // counters in every shard, from MPIT_SHARD_CELLS of the copy that created the registry
    core::asymmetric_fence fences; // the fences between readers and threads in dlclose() that wait for readers
    core::spare_words<2> spare;

    alignas(64) atomic<shard*> candidate;    // the shard at which the search for an ended thread continues
    atomic<std::uint64_t> next_shard_memory; // address of the current slab, plus number of used shards in this slab
    atomic<std::uint32_t> shard_count, shard_limit; // shard_limit grows if no thread of any shard has ended
    atomic<std::uint32_t> next_cell, next_in_flight_cell;
    atomic<std::uint32_t> readers_without_shard;

    // Allocates `count` cells in every shard, contiguous if they fit in one part. Returns the number of the first cell.
    std::uint32_t take_cells(std::uint32_t count) noexcept {
        if (count == 1) return next_cell.fetch_add(1);
        std::uint32_t next = next_cell.load(), begin = 0;
        do begin = shard::first_contiguous(count, next);
        while (!next_cell.compare_exchange(next, begin + count));
        return begin;
    }
    // Initializes a shard_set that no other thread can access yet.
    void begin(std::uint32_t cells) noexcept {
        cell_count = cells;
        cells_end = shard::offset_of(cells);
        fences.register_process();
    }
    std::uint32_t in_flight_cell_count() const noexcept { return cell_count / 4; }
    // A slab contains all parts of its shards, and after the parts the slots for event instances of these shards.
    std::size_t bytes_before_instances() const noexcept {
        const std::uint32_t last = shard::offset_of(cell_count + in_flight_cell_count());
        return (last / shard_parts::stride + std::size_t{1}) * shard_parts::stride;
    }
    std::size_t bytes_of_slab() const noexcept {
        return bytes_before_instances() + shard_parts::shards * max_nesting * sizeof(instance_slot);
    }
    // Resets the read-side sections, callbacks and in-flight counts in the shard of an ended thread. The counters stay.
    [[gnu::cold, gnu::noinline]] void reset_activity(shard& ended) const noexcept {
        ended.reader_state.store(0);
        ended.short_section.store(0);
        ended.nesting.store(0);
        // The loop stores only into a word that is not 0, because a store makes the kernel allocate an unused page.
        for (std::uint32_t i = 0; i < max_nesting; i++)
            if (ended.instances[i].word.load() != 0) ended.instances[i].word.store(0);
        const std::uint32_t count = next_in_flight_cell.load();
        for (std::uint32_t i = 0; i < count && i < in_flight_cell_count(); i++)
            ended.cell_at(shard::offset_of(cell_count + i)).store(0);
    }
};

// This shared object's pointer to the shards, which is null until the shared object has found the registry.
inline constinit atomic<shard_set*> shards{nullptr};

// The shard of this thread, as this shared object has found it. C code reads `shard` and `cells_end` (declare/cells.h).
struct cached_shard {
    core::shard* shard = nullptr; // the shard of this thread
    std::uint32_t cells_end = 0;  // shard_set::cells_end if the thread has a shard, otherwise 0
    bool is_light_free = false;   // true if light fences are compiler barriers (asymmetric_fence::is_light_free())
    atomic<std::uint32_t>* short_section = nullptr; // null if light fences are not compiler barriers

    atomic<std::uint64_t>& cell_at(std::uint32_t offset) const noexcept { return shard->cell_at(offset); }
};
inline constinit thread_local cached_shard this_thread_shard [[gnu::tls_model(MPIT_THREAD_STORAGE)]]{};

namespace MPIT_MODULE_LOCAL detail {

// Returns the process id in the upper half and the thread id in the lower half. The function uses syscall() for the
// process id and the thread id, so that the loader resolves one function instead of two.
inline std::uint64_t this_thread_identity() noexcept {
    return static_cast<std::uint64_t>(syscall(SYS_getpid)) << 32 | static_cast<std::uint32_t>(syscall(SYS_gettid));
}

// Returns true if the thread of an owner has ended. Returns false for a thread of another process, because after a fork
// the thread that called fork() may still count in the shard.
inline bool has_ended(std::uint64_t identity, std::uint64_t self) noexcept {
    if (identity == 0) return true;
    if (identity >> 32 != self >> 32) return false;
    const auto process = static_cast<pid_t>(identity >> 32), thread = static_cast<pid_t>(identity & 0xffffffff);
    const int saved_errno = errno;
    const bool is_missing = syscall(SYS_tgkill, process, thread, 0) != 0 && errno == ESRCH;
    errno = saved_errno;
    return is_missing;
}

// Sets this_thread_shard to a shard for this thread, unless memory is exhausted or the thread id is unknown.
// Async-signal-safe, but a signal handler may cause a second shard for the thread. Defined in shard_walks.hpp.
[[gnu::cold]] void find_shard(shard_set& set) noexcept;

// Returns true if this thread has a cell at the offset. First finds a shard if the thread has no shard.
[[gnu::cold]] inline bool has_shard_cell(std::uint32_t offset) noexcept {
    shard_set* set = shards.load();
    if (set == nullptr || offset >= set->cells_end) return false;
    if (this_thread_shard.shard == nullptr) find_shard(*set);
    return offset < this_thread_shard.cells_end;
}

} // namespace detail

// Returns the shard of this thread, or null if find_shard() has not yet found a shard.
inline shard* existing_shard_of_this_thread() noexcept { return this_thread_shard.shard; }
// Returns the shard of this thread, and finds a shard if necessary. Returns null if memory is exhausted.
inline shard* shard_of_this_thread() noexcept {
    if (this_thread_shard.shard == nullptr) [[unlikely]]
        if (shard_set* set = shards.load()) detail::find_shard(*set);
    return existing_shard_of_this_thread();
}

} // namespace core
} // namespace mpit
