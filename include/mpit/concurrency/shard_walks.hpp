// SPDX-License-Identifier: BSD-3-Clause
// Functions that visit all shards. A thread that counts for the first time finds its own shard, takes over the shard of
// an ended thread, or allocates a new shard. A tool reads totals over all shards.
//
//   detail::find_shard(*set);   const std::uint64_t calls = shard_cell::word_of(cell, false);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/shard_cell.hpp>

#include <pthread.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {
namespace MPIT_MODULE_LOCAL detail {

// Returns true if the kernel refuses to return the thread id, as in a sandbox, so that all threads look the same.
inline bool is_nameless(std::uint64_t identity) noexcept {
    return static_cast<std::uint32_t>(identity) == static_cast<std::uint32_t>(-1);
}

// The pthread key under which each thread stores its shard. With the key a second shared object finds the shard that
// the first shared object has found for the thread, and not the shard of an ended thread with the same id.
// shard_set::key is the key plus 1, or 0 before a thread has created the key. Only keys below 32 are used, because
// glibc allocates memory for a larger key. The first thread needs no key, because the kernel gives the id of the first
// thread to no other thread. Therefore the loader resolves no function for keys in a process with one thread.
class thread_specific_shard {
public:
    static constexpr std::uint64_t without_key = ~std::uint64_t{0};

    thread_specific_shard(shard_set& set, std::uint64_t identity) noexcept {
        if (identity >> 32 == static_cast<std::uint32_t>(identity)) return;
        word_ = set.key.load();
        if (word_ != 0) return;
        pthread_key_t new_key = 0;
        const bool is_created = pthread_key_create(&new_key, nullptr) == 0;
        const std::uint64_t word = is_created && new_key < key_count ? new_key + 1 : without_key;
        const bool is_shared = set.key.compare_exchange(word_, word);
        if (is_created && (!is_shared || word == without_key)) pthread_key_delete(new_key);
        if (is_shared) word_ = word;
    }
    bool has_key() const noexcept { return word_ - 1 < key_count; }
    shard* find() const noexcept { return has_key() ? static_cast<shard*>(pthread_getspecific(key())) : nullptr; }
    void set(shard* own) const noexcept {
        if (has_key()) pthread_setspecific(key(), own);
    }

private:
    static constexpr std::uint64_t key_count = 32;
    pthread_key_t key() const noexcept { return static_cast<pthread_key_t>(word_ - 1); }

    std::uint64_t word_ = 0;
};

// Returns the shard whose owner is this thread or an ended thread with the same process and thread id, or null.
inline shard* shard_of_thread(shard_set& set, std::uint64_t identity) noexcept {
    for (shard* candidate = set.first.load(); candidate != nullptr; candidate = candidate->next()) {
        std::uint64_t owner = candidate->owner.load();
        while (shard_owner::thread(owner) == identity)
            if (candidate->owner.compare_exchange(owner, shard_owner::next(owner, identity))) return candidate;
    }
    return nullptr;
}

// Takes over a shard whose thread has ended. Checks at most `max_checks` shards, and returns null if it finds none.
[[gnu::cold, gnu::noinline]] inline shard* ended_shard(shard_set& set, std::uint64_t identity,
                                                       std::uint32_t max_checks) noexcept {
    shard* candidate = set.candidate.load();
    for (std::uint32_t checks = 0; checks < max_checks; checks++) {
        if (candidate == nullptr) candidate = set.first.load();
        if (candidate == nullptr) return nullptr;
        const std::uint64_t owner = candidate->owner.load();
        if (has_ended(shard_owner::thread(owner), identity) &&
            candidate->owner.compare_and_set(owner, shard_owner::next(owner, identity))) {
            set.reset_activity(*candidate);
            return candidate;
        }
        candidate = candidate->next();
        set.candidate.store(candidate);
    }
    return nullptr;
}

// shard_set::next_shard_memory is the address of a slab, and counts its shards in bits that are 0 in the address.
inline constexpr std::uint64_t slab_count_mask = 4095;

// Returns zeroed memory for one more shard, or null if memory is exhausted.
[[gnu::cold, gnu::noinline]] inline shard* allocate_shard_memory(shard_set& set) noexcept {
    std::uint64_t next = set.next_shard_memory.load();
    for (;;) {
        const std::uint64_t index = next & slab_count_mask;
        if (next != 0 && index < shard_parts::shards) {
            if (!set.next_shard_memory.compare_exchange(next, next + 1)) continue;
            char* slab = reinterpret_cast<char*>(next & ~slab_count_mask);
            auto* memory = reinterpret_cast<shard*>(slab + index * shard_parts::bytes);
            memory->instances =
                reinterpret_cast<instance_slot*>(slab + set.bytes_before_instances()) + index * max_nesting;
            return memory;
        }
        void* slab = core::zeroed_sparse_pages(set.bytes_of_slab());
        if (slab == nullptr) return nullptr;
        if (!set.next_shard_memory.compare_exchange(next, reinterpret_cast<std::uintptr_t>(slab)))
            core::release_memory(slab, set.bytes_of_slab());
        else next = reinterpret_cast<std::uintptr_t>(slab);
    }
}
// Frees the memory of a shard that was never published, unless another thread has allocated shard memory meanwhile.
inline void free_shard_memory(shard_set& set, const shard& unused) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(&unused);
    std::uint64_t next = set.next_shard_memory.load();
    const std::uint64_t slab = next & ~slab_count_mask, count = next & slab_count_mask;
    if (count != 0 && slab + (count - 1) * shard_parts::bytes == address)
        static_cast<void>(set.next_shard_memory.compare_exchange(next, next - 1));
}

// Allocates a shard, or takes over the shard of an ended thread. If the threads of all shards still exist, shard_limit
// becomes twice the number of threads, including this thread. Therefore the start of a thread costs one system call on
// average while the number of threads grows.
[[gnu::cold, gnu::noinline]] inline shard* new_shard(shard_set& set, std::uint64_t identity) noexcept {
    shard* allocated = nullptr;
    std::uint32_t count = set.shard_count.load();
    for (;;) {
        std::uint32_t limit = set.shard_limit.load();
        if (count < limit) {
            if (allocated == nullptr) allocated = allocate_shard_memory(set);
            if (allocated == nullptr) return nullptr;
            if (set.shard_count.compare_exchange(count, count + 1)) break;
        } else {
            if (shard* ended = ended_shard(set, identity, count)) {
                if (allocated != nullptr) free_shard_memory(set, *allocated);
                return ended;
            }
            while (limit < 2 * (count + 1) && !set.shard_limit.compare_exchange(limit, 2 * (count + 1))) {}
            count = set.shard_count.load();
        }
    }
    allocated->owner.store(identity);
    allocated->number = count;
    // The compare-exchange publishes the shard and pairs with the acquire loads of `first` in all walks over the list.
    shard* first = set.first.load();
    do allocated->link_before(first);
    while (!set.first.compare_exchange(first, allocated));
    return allocated;
}

[[gnu::noinline]] MPIT_INLINE void find_shard(shard_set& set) noexcept {
    constexpr std::uint32_t max_checks = 4;
    const int saved_errno = errno;
    const std::uint64_t identity = this_thread_identity();
    if (is_nameless(identity)) {
        errno = saved_errno;
        return;
    }
    const thread_specific_shard thread_key{set, identity};
    shard* own = thread_key.find();
    if (own == nullptr || own->thread() != identity) {
        own = shard_of_thread(set, identity);
        // The key of this thread holds no shard, so the shard is that of an ended thread with the same id.
        if (own != nullptr && thread_key.has_key()) set.reset_activity(*own);
        if (own == nullptr) own = ended_shard(set, identity, max_checks);
        if (own == nullptr) own = new_shard(set, identity);
        thread_key.set(own);
    }
    if (own != nullptr) {
        this_thread_shard.is_light_free = set.fences.is_light_free();
        this_thread_shard.short_section = this_thread_shard.is_light_free ? &own->short_section : nullptr;
        // These stores must stay in order. A signal handler that reads the new cells_end also reads the new `shard`. A
        // signal handler that reads the new `shard` also reads the new is_light_free and short_section.
        __asm__ __volatile__("" ::: "memory");
        this_thread_shard.shard = own;
        __asm__ __volatile__("" ::: "memory");
        this_thread_shard.cells_end = set.cells_end;
    }
}

} // namespace detail

MPIT_INLINE void shard_cell::assign_cell(std::uint32_t cell) noexcept { offset_.store(shard::offset_of(cell)); }

// add_in_new_shard() is a separate function, so that add_without_shard() needs no stack frame.
[[gnu::noinline]] MPIT_INLINE void shard_cell::add_without_shard(std::uint32_t offset, std::uint64_t n) noexcept {
    if (offset != no_shard_cell) return add_in_new_shard(offset, n);
    shared_.fetch_add(n);
}
[[gnu::noinline]] MPIT_INLINE void shard_cell::add_in_new_shard(std::uint32_t offset, std::uint64_t n) noexcept {
    if (detail::has_shard_cell(offset)) this_thread_shard.cell_at(offset).add_as_owner(n);
    else shared_.fetch_add(n);
}

MPIT_INLINE std::uint64_t shard_cell::word_of(const shard_cell& cell, bool is_real) noexcept {
    return is_real ? core::bits_of(cell.total_real()) : cell.total();
}
MPIT_INLINE void shard_cell::words_of(const shard_cell* cells, std::uint32_t count, bool are_real,
                                      std::uint64_t* words) noexcept {
    for (std::uint32_t i = 0; i < count; i++) words[i] = cells[i].shared_.load();
    const shard_set* set = shards.load();
    if (set == nullptr) return;
    // Each iteration reads the contiguous cells of one part in all shards. A sum without a cell number ends the loop.
    for (std::uint32_t begin = 0, offset = 0;
         begin < count && (offset = cells[begin].offset_.load()) < set->cells_end;) {
        const std::uint32_t contiguous = shard::contiguous_cells_at(offset),
                            before_end = (set->cells_end - offset) / std::uint32_t{sizeof(std::uint64_t)};
        std::uint32_t length = count - begin;
        if (length > contiguous) length = contiguous;
        if (length > before_end) length = before_end;
        shard::for_each(set->first.load(), [&](const shard& s) {
            const atomic<std::uint64_t>* addends = &s.cell_at(offset);
            for (std::uint32_t i = 0; i < length; i++)
                words[begin + i] = core::sum(are_real, words[begin + i], addends[i].load());
        });
        begin += length;
    }
}

} // namespace core
} // namespace mpit
