// SPDX-License-Identifier: BSD-3-Clause
// Memory for data that outlives every shared object: zeroed pages from the system. Allocation is async-signal-safe and
// returns null without memory.
//
//   mpit::core::arena names;  void* room = names.allocate(120);   auto* made = new (core::place{room}) record;
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <cstddef>
#include <cstring>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// For placement new without <new>, whose `operator new` is an inline function with default visibility: at -O0 a library
// exports it, a later library binds to it, and the loader then never unloads the first one. Aligned for the object that
// is made there; never null.
struct place {
    void* address;
};

} // namespace core
} // namespace mpit

// Throws nothing, takes no memory. Safe in a signal handler if the constructor is.
[[gnu::returns_nonnull]] MPIT_MODULE_LOCAL inline void* operator new(std::size_t, mpit::core::place place) noexcept {
    return place.address;
}

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// For tests: the number of allocations that still succeed; negative for no limit. Code that takes memory from elsewhere
// asks memory_is_left() as pages() does, so that memory ends there as well.
inline constinit atomic<int> allocations_left{-1};

// For tests: how many allocations were refused for want of those, and the bytes that were taken and not given back.
// They are not atomic objects, so that a model checker of atomic operations does not explore them.
inline constinit std::size_t refused_allocations = 0, bytes_of_pages = 0;
inline std::size_t refusals() noexcept { return __atomic_load_n(&refused_allocations, __ATOMIC_RELAXED); }
inline std::size_t bytes_in_use() noexcept { return __atomic_load_n(&bytes_of_pages, __ATOMIC_RELAXED); }

inline bool memory_is_left() noexcept {
    int left = allocations_left.load(relaxed);
    while (left > 0 && !allocations_left.compare_exchange(left, left - 1)) {}
    if (left == 0) __atomic_fetch_add(&refused_allocations, 1, __ATOMIC_RELAXED);
    return left != 0;
}

// `are_used` for pages that are written at once: one system call costs less than a fault for each.
inline void* pages(std::size_t bytes, bool are_used = false) noexcept {
    if (!memory_is_left()) return nullptr;
    const int kept = errno; // the caller may be a signal handler
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | (are_used ? MAP_POPULATE : 0), -1, 0);
    errno = kept;
    if (memory == MAP_FAILED) return nullptr;
    __atomic_fetch_add(&bytes_of_pages, bytes, __ATOMIC_RELAXED);
    return memory;
}
// The same for much memory of which little is used: never in huge pages, of which a single word would fill one.
inline void* sparse_pages(std::size_t bytes) noexcept {
    void* memory = pages(bytes);
    const int kept = errno;
    // Refused by a kernel without huge pages. The loader would search for madvise() in each process.
    if (memory != nullptr) static_cast<void>(syscall(SYS_madvise, memory, bytes, MADV_NOHUGEPAGE));
    errno = kept;
    return memory;
}
// For memory that lost a race to be published, and for what is one shared object's own.
inline void release_memory(void* memory, std::size_t bytes) noexcept {
    munmap(memory, bytes);
    __atomic_fetch_sub(&bytes_of_pages, bytes, __ATOMIC_RELAXED);
}

// Hands out pieces of pages; many threads may ask at once.
class arena {
public:
    void* allocate(std::size_t bytes) noexcept { return allocate(bytes, false); }
    // The same for records and their texts: more of them follow, so that the pages of a new block are taken together.
    void* allocate_for_tools(std::size_t bytes) noexcept { return allocate(bytes, true); }
    // With so many bytes right behind it: all of it, or nothing.
    template <class T> T* make(std::size_t bytes_behind = 0, bool is_for_tools = false) noexcept {
        constexpr std::size_t spare = alignof(T) > unit ? alignof(T) - unit : 0;
        void* room = allocate(sizeof(T) + spare + bytes_behind, is_for_tools);
        if (room == nullptr) return nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(room);
        return new (core::place{reinterpret_cast<void*>((address + alignof(T) - 1) & ~(alignof(T) - 1))}) T;
    }

    // Gives the end of a piece of so many bytes back, which is zero, all but `needed` bytes; both are multiples of 8.
    // Returns false if another piece was allocated behind it.
    bool shorten(void* piece, std::size_t bytes, std::size_t needed) noexcept {
        block* const present = block_.load();
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(piece) - reinterpret_cast<std::uintptr_t>(present);
        return present != nullptr && offset < block_size && present->used.replace(offset + bytes, offset + needed);
    }

    // Gives a piece back that nothing refers to. Its bytes stay taken if another piece was allocated behind it.
    void give_back(void* piece, std::size_t bytes) noexcept {
        bytes = in_units(bytes);
        if (bytes > block_size / 4) return release_memory(piece, bytes);
        std::memset(piece, 0, bytes);
        static_cast<void>(shorten(piece, bytes, 0));
    }

    // Not to be called while pieces are used or allocated. Pieces that had pages of their own stay.
    void release_all() noexcept {
        for (block* each = block_.exchange(nullptr); each != nullptr;) {
            block* const previous = each->previous;
            release_memory(each, block_size);
            each = previous;
        }
    }

    // Pieces begin at multiples of 8 bytes, for all copies of the headers.
    static constexpr std::size_t unit = 8;
    // The beginning of each block. Shared, because all copies of the headers take pieces of the present one.
    struct block {
        atomic<std::size_t> used; // bytes, with those of this head
        block* previous;          // for release_all()
    };

private:
    static constexpr std::size_t in_units(std::size_t bytes) noexcept { return (bytes + unit - 1) & ~(unit - 1); }
    void* allocate(std::size_t bytes, bool are_used) noexcept {
        bytes = in_units(bytes);
        if (bytes > block_size / 4) return pages(bytes, are_used);
        for (;;) {
            block* present = block_.load();
            if (present != nullptr) {
                // Pairs with the exchange in shorten(): give_back() has filled the piece with zeros before.
                const std::size_t offset = present->used.fetch_add(bytes, acquire);
                if (offset + bytes <= block_size) return reinterpret_cast<char*>(present) + offset;
            }
            block* fresh = static_cast<block*>(pages(block_size, are_used));
            if (fresh == nullptr) return nullptr;
            fresh->used.store(sizeof(block));
            fresh->previous = present;
            if (!block_.replace(present, fresh)) release_memory(fresh, block_size);
        }
    }

    static constexpr std::size_t block_size = 1 << 16;
    atomic<block*> block_;
};

} // namespace core
} // namespace mpit
