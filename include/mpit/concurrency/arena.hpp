// SPDX-License-Identifier: BSD-3-Clause
// Allocates zeroed pages from the system, for data that outlives every shared object. The allocation functions are
// lock-free and async-signal-safe, and return null if memory is exhausted.
//
//   mpit::core::arena names;  void* memory = names.allocate(120);   auto* entry = new (core::placement{memory}) record;
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <cstddef>
#include <cstring>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The argument of mpit's own placement new. The placement new of <new> is inline and has default visibility, so that a
// library that is compiled at -O0 exports it. A library that is loaded later would bind to the exported function, and
// the loader could not unload the exporting library. `address` is aligned for the object and never null.
struct placement {
    void* address;
};

} // namespace core
} // namespace mpit

// mpit's placement new never throws or allocates, so a new-expression is async-signal-safe if the constructor is.
[[gnu::returns_nonnull]] MPIT_MODULE_LOCAL inline void* operator new(std::size_t,
                                                                     mpit::core::placement placement) noexcept {
    return placement.address;
}

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// Tests limit the number of further allocations that succeed. A negative number sets no limit. Code that allocates
// memory by other means than pages() must first call memory_is_left(), so that the limit counts all allocations.
inline constinit atomic<int> allocations_left{-1};

// Count, for tests, the allocations that failed because of allocations_left, and the bytes of all allocated pages. The
// counters are not of class atomic, so that the model checker does not explore accesses to the counters.
inline constinit std::size_t refused_allocations = 0, bytes_of_pages = 0;
inline std::size_t refusals() noexcept { return __atomic_load_n(&refused_allocations, __ATOMIC_RELAXED); }
inline std::size_t bytes_in_use() noexcept { return __atomic_load_n(&bytes_of_pages, __ATOMIC_RELAXED); }

inline bool memory_is_left() noexcept {
    int left = allocations_left.load(relaxed);
    while (left > 0 && !allocations_left.compare_exchange(left, left - 1)) {}
    if (left == 0) __atomic_fetch_add(&refused_allocations, 1, __ATOMIC_RELAXED);
    return left != 0;
}

// Returns zeroed pages, or null if memory is exhausted. If `populate` is true, the kernel maps all pages at once, which
// costs less than one page fault for each page that the caller writes.
inline void* pages(std::size_t bytes, bool populate = false) noexcept {
    if (!memory_is_left()) return nullptr;
    const int saved_errno = errno; // the caller may be a signal handler
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | (populate ? MAP_POPULATE : 0), -1, 0);
    errno = saved_errno;
    if (memory == MAP_FAILED) return nullptr;
    __atomic_fetch_add(&bytes_of_pages, bytes, __ATOMIC_RELAXED);
    return memory;
}
// Returns zeroed pages for a large array of which few words are written, or null if memory is exhausted. The pages are
// not huge pages, because the kernel would allocate a complete huge page for one written word.
inline void* zeroed_sparse_pages(std::size_t bytes) noexcept {
    void* memory = pages(bytes);
    const int saved_errno = errno;
    // madvise() may fail without harm. With syscall() the loader need not resolve the symbol madvise.
    if (memory != nullptr) static_cast<void>(syscall(SYS_madvise, memory, bytes, MADV_NOHUGEPAGE));
    errno = saved_errno;
    return memory;
}
// Returns pages to the system. The pages must be unpublished, or must belong to this shared object alone.
inline void release_memory(void* memory, std::size_t bytes) noexcept {
    munmap(memory, bytes);
    __atomic_fetch_sub(&bytes_of_pages, bytes, __ATOMIC_RELAXED);
}

// A lock-free bump allocator of zeroed pieces from 64 KiB blocks. A piece of more than 16 KiB has its own pages.
class arena {
public:
    void* allocate(std::size_t bytes) noexcept { return allocate(bytes, false); }
    // Allocates like allocate(), but makes the kernel map all pages of a new block, because many allocations follow.
    void* allocate_populated(std::size_t bytes) noexcept { return allocate(bytes, true); }
    // Allocates and constructs a T with `bytes_behind` further bytes behind it. Returns null if memory is exhausted.
    template <class T> T* make(std::size_t bytes_behind = 0, bool is_for_tools = false) noexcept {
        constexpr std::size_t padding = alignof(T) > unit ? alignof(T) - unit : 0;
        void* memory = allocate(sizeof(T) + padding + bytes_behind, is_for_tools);
        if (memory == nullptr) return nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(memory);
        return new (core::placement{reinterpret_cast<void*>((address + alignof(T) - 1) & ~(alignof(T) - 1))}) T;
    }

    // Shortens a piece of `bytes` bytes to `needed` bytes. `bytes` and `needed` are multiples of 8, and the bytes that
    // are cut off are zero. Returns false, and changes nothing, if another piece was allocated after this piece.
    bool shorten(void* piece, std::size_t bytes, std::size_t needed) noexcept {
        block* const current = block_.load();
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(piece) - reinterpret_cast<std::uintptr_t>(current);
        return current != nullptr && offset < block_size &&
               current->used.compare_and_set(offset + bytes, offset + needed);
    }

    // Frees a piece that no thread uses any more. If another piece was allocated later, the freed bytes stay unused.
    void free(void* piece, std::size_t bytes) noexcept {
        bytes = in_units(bytes);
        if (bytes > block_size / 4) return release_memory(piece, bytes);
        std::memset(piece, 0, bytes);
        static_cast<void>(shorten(piece, bytes, 0));
    }

    // Releases all blocks, but not the pages of large pieces. No thread may use the arena during the call.
    void release_all() noexcept {
        for (block* released = block_.exchange(nullptr); released != nullptr;) {
            block* const previous = released->previous;
            release_memory(released, block_size);
            released = previous;
        }
    }

    // The alignment of pieces in bytes, which is the same in all libraries of a process that use mpit.
    static constexpr std::size_t unit = 8;
    // The header at the start of a block. All libraries of a process that use mpit allocate from the same block.
    struct block {
        atomic<std::size_t> used; // used bytes of the block, including this header
        block* previous;          // the block that was current before, for release_all()
    };

private:
    static constexpr std::size_t in_units(std::size_t bytes) noexcept { return (bytes + unit - 1) & ~(unit - 1); }
    void* allocate(std::size_t bytes, bool populate) noexcept {
        bytes = in_units(bytes);
        if (bytes > block_size / 4) return pages(bytes, populate);
        for (;;) {
            block* current = block_.load();
            if (current != nullptr) {
                // This acquire pairs with the compare-exchange in shorten(), before which free() has zeroed the bytes.
                const std::size_t offset = current->used.fetch_add(bytes, acquire);
                if (offset + bytes <= block_size) return reinterpret_cast<char*>(current) + offset;
            }
            block* new_block = static_cast<block*>(pages(block_size, populate));
            if (new_block == nullptr) return nullptr;
            new_block->used.store(sizeof(block));
            new_block->previous = current;
            // The compare-exchange publishes the new block and pairs with the acquire load of block_ above.
            if (!block_.compare_and_set(current, new_block)) release_memory(new_block, block_size);
        }
    }

    static constexpr std::size_t block_size = 1 << 16;
    atomic<block*> block_;
};

} // namespace core
} // namespace mpit
