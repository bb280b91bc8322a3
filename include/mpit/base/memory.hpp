// Memory for what outlives every shared object: zeroed pages straight from the system, never given back. It can be had in
// a signal handler, and null is an answer that every caller survives.
//
//   mpit::base::arena names;  void* room = names.allocate(120);
#pragma once

#include <mpit/base/atomic.hpp>

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace mpit::base {

// For tests: the number of allocations that still succeed; negative for no limit.
MPIT_MODULE_LOCAL inline constinit atomic<int> allocations_left{-1};

inline void* pages(std::size_t bytes) noexcept {
    if (int left = allocations_left.load(relaxed); left >= 0) {
        if (left == 0) return nullptr;
        allocations_left.store(left - 1, relaxed);
    }
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}
// For memory that lost a race to be published.
inline void give_back(void* memory, std::size_t bytes) noexcept { munmap(memory, bytes); }

// Hands out pieces of pages; many threads may ask at once.
class arena {
public:
    void* allocate(std::size_t bytes) noexcept {
        bytes = (bytes + 15) & ~std::size_t{15};
        if (bytes > block_size / 4) return pages(bytes);
        for (;;) {
            block* present = block_.load();
            if (present != nullptr) {
                const std::size_t at = present->used.fetch_add(bytes, relaxed);
                if (at + bytes <= block_size) return reinterpret_cast<char*>(present) + at;
            }
            block* fresh = static_cast<block*>(pages(block_size));
            if (fresh == nullptr) return nullptr;
            fresh->used.store((sizeof(block) + 15) & ~std::size_t{15});
            if (!block_.replace(present, fresh)) give_back(fresh, block_size);
        }
    }
    template <class T> T* make() noexcept {
        constexpr std::size_t spare = alignof(T) > 16 ? alignof(T) - 16 : 0;
        void* room = allocate(sizeof(T) + spare);
        if (room == nullptr) return nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(room);
        return new (reinterpret_cast<void*>((address + alignof(T) - 1) & ~(alignof(T) - 1))) T;
    }

private:
    struct block {
        atomic<std::size_t> used;
    };
    static constexpr std::size_t block_size = 1 << 16;
    atomic<block*> block_;
};

} // namespace mpit::base
