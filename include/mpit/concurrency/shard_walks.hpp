// SPDX-License-Identifier: BSD-3-Clause
// Walks over the shards. A thread that counts for the first time finds its own, that of an ended thread, or a new one.
// A tool reads totals.
//
//   detail::find_shard(*set);   const std::uint64_t calls = shard_cell::word_of(cell, false);
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/shard_cell.hpp>

#include <pthread.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {
namespace MPIT_MODULE_LOCAL detail {

// Whether the kernel refuses to tell the thread's number, as a sandbox may: then all threads look alike.
inline bool is_nameless(std::uint64_t identity) noexcept {
    return static_cast<std::uint32_t>(identity) == static_cast<std::uint32_t>(-1);
}

// The key under which this thread keeps its shard, so that a shared object finds the shard that another one has found
// for the thread, and not that of an ended thread with the same number. The word of the registry is the key plus one,
// and 0 before the first thread. glibc has places for 32 keys in each thread and would allocate for others, which are
// not used. The kernel gives the number of the first thread to no other one, so that a process with one thread binds
// none of these functions.
class kept_shard {
public:
    static constexpr std::uint64_t without_key = ~std::uint64_t{0};

    kept_shard(shard_set& set, std::uint64_t identity) noexcept {
        if (identity >> 32 == static_cast<std::uint32_t>(identity)) return;
        word_ = set.key.load();
        if (word_ != 0) return;
        pthread_key_t new_key = 0;
        const bool is_created = pthread_key_create(&new_key, nullptr) == 0;
        const std::uint64_t word = is_created && new_key < places ? new_key + 1 : without_key;
        const bool is_shared = set.key.compare_exchange(word_, word);
        if (is_created && (!is_shared || word == without_key)) pthread_key_delete(new_key);
        if (is_shared) word_ = word;
    }
    bool has_key() const noexcept { return word_ - 1 < places; }
    shard* find() const noexcept { return has_key() ? static_cast<shard*>(pthread_getspecific(key())) : nullptr; }
    void keep(shard* own) const noexcept {
        if (has_key()) pthread_setspecific(key(), own);
    }

private:
    static constexpr std::uint64_t places = 32;
    pthread_key_t key() const noexcept { return static_cast<pthread_key_t>(word_ - 1); }

    std::uint64_t word_ = 0;
};

// The shard that has the number of this thread: its own, or that of an ended thread with the same number; null without
// one.
inline shard* shard_of_thread(shard_set& set, std::uint64_t mine) noexcept {
    for (shard* each = set.first.load(); each != nullptr; each = each->next()) {
        std::uint64_t seen = each->owner.load();
        while (shard_owner::thread(seen) == mine)
            if (each->owner.compare_exchange(seen, shard_owner::next(seen, mine))) return each;
    }
    return nullptr;
}

// The first shard whose thread has ended, of so many at most; null if all of these are in use.
[[gnu::cold, gnu::noinline]] inline shard* ended_shard(shard_set& set, std::uint64_t mine,
                                                       std::uint32_t most) noexcept {
    shard* each = set.candidate.load();
    for (std::uint32_t tries = 0; tries < most; tries++) {
        if (each == nullptr) each = set.first.load();
        if (each == nullptr) return nullptr;
        const std::uint64_t seen = each->owner.load();
        if (has_ended(shard_owner::thread(seen), mine) && each->owner.replace(seen, shard_owner::next(seen, mine))) {
            set.forget_activity(*each);
            return each;
        }
        each = each->next();
        set.candidate.store(each);
    }
    return nullptr;
}

inline constexpr std::uint64_t places_taken = 4095; // these bits of next_place: a slab begins a page

// Room for one more shard, zeros; null without memory.
[[gnu::cold, gnu::noinline]] inline shard* take_place(shard_set& set) noexcept {
    std::uint64_t next = set.next_place.load();
    for (;;) {
        const std::uint64_t taken = next & places_taken;
        if (next != 0 && taken < shard_parts::shards) {
            if (!set.next_place.compare_exchange(next, next + 1)) continue;
            char* slab = reinterpret_cast<char*>(next & ~places_taken);
            auto* made = reinterpret_cast<shard*>(slab + taken * shard_parts::bytes);
            made->instances =
                reinterpret_cast<instance_place*>(slab + set.bytes_before_instances()) + taken * deepest_nesting;
            return made;
        }
        void* slab = core::sparse_pages(set.bytes_of_slab());
        if (slab == nullptr) return nullptr;
        if (!set.next_place.compare_exchange(next, reinterpret_cast<std::uintptr_t>(slab)))
            core::release_memory(slab, set.bytes_of_slab());
        else next = reinterpret_cast<std::uintptr_t>(slab);
    }
}
// Of a place that is not used after all. If others were taken meanwhile, it stays unused.
inline void give_back(shard_set& set, const shard& place) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(&place);
    std::uint64_t next = set.next_place.load();
    const std::uint64_t slab = next & ~places_taken, taken = next & places_taken;
    if (taken != 0 && slab + (taken - 1) * shard_parts::bytes == address)
        static_cast<void>(set.next_place.compare_exchange(next, next - 1));
}

// A pass over all shards that finds no ended thread allows twice as many shards as threads, this one included. So while
// the number of threads grows, each start costs one question to the kernel on average.
[[gnu::cold, gnu::noinline]] inline shard* new_shard(shard_set& set, std::uint64_t mine) noexcept {
    shard* made = nullptr;
    std::uint32_t count = set.shard_count.load();
    for (;;) {
        std::uint32_t most = set.shard_limit.load();
        if (count < most) {
            if (made == nullptr) made = take_place(set);
            if (made == nullptr) return nullptr;
            if (set.shard_count.compare_exchange(count, count + 1)) break;
        } else {
            if (shard* ended = ended_shard(set, mine, count)) {
                if (made != nullptr) give_back(set, *made);
                return ended;
            }
            while (most < 2 * (count + 1) && !set.shard_limit.compare_exchange(most, 2 * (count + 1))) {}
            count = set.shard_count.load();
        }
    }
    made->owner.store(mine);
    made->number = count;
    shard* first = set.first.load();
    do made->link_before(first);
    while (!set.first.compare_exchange(first, made));
    return made;
}

[[gnu::noinline]] MPIT_INLINE void find_shard(shard_set& set) noexcept {
    constexpr std::uint32_t few = 4;
    const int kept = errno;
    const std::uint64_t mine = this_thread_identity();
    if (is_nameless(mine)) {
        errno = kept;
        return;
    }
    const kept_shard of_thread{set, mine};
    shard* found = of_thread.find();
    if (found == nullptr || found->thread() != mine) {
        found = shard_of_thread(set, mine);
        // No shared object has found it for this thread, so that it is that of an ended one.
        if (found != nullptr && of_thread.has_key()) set.forget_activity(*found);
        if (found == nullptr) found = ended_shard(set, mine, few);
        if (found == nullptr) found = new_shard(set, mine);
        of_thread.keep(found);
    }
    if (found != nullptr) {
        this_thread_shard.has_free_fences = set.fences.is_one_sided();
        this_thread_shard.quick_state = this_thread_shard.has_free_fences ? &found->quick_state : nullptr;
        // A signal handler that sees the shard must see the fences, and it must see the shard if it sees the end.
        __asm__ __volatile__("" ::: "memory");
        this_thread_shard.there = found;
        __asm__ __volatile__("" ::: "memory");
        this_thread_shard.cells_end = set.cells_end;
    }
}

} // namespace detail

MPIT_INLINE void shard_cell::number(std::uint32_t cell) noexcept { distance_.store(shard::distance_of(cell)); }

// Two functions, so that the first one has no frame.
[[gnu::noinline]] MPIT_INLINE void shard_cell::add_without_shard(std::uint32_t distance, std::uint64_t n) noexcept {
    if (distance != no_shard_cell) return add_in_new_shard(distance, n);
    shared_.fetch_add(n);
}
[[gnu::noinline]] MPIT_INLINE void shard_cell::add_in_new_shard(std::uint32_t distance, std::uint64_t n) noexcept {
    if (detail::has_shard_cell(distance)) this_thread_shard.cell_at(distance).add_as_owner(n);
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
    // A part of the shards at a time, until cells have no number.
    for (std::uint32_t done = 0, distance = 0;
         done < count && (distance = cells[done].distance_.load()) < set->cells_end;) {
        const std::uint32_t together = shard::cells_from(distance),
                            before_end = (set->cells_end - distance) / std::uint32_t{sizeof(std::uint64_t)};
        std::uint32_t last = count - done;
        if (last > together) last = together;
        if (last > before_end) last = before_end;
        shard::for_each(set->first.load(), [&](const shard& each) {
            const atomic<std::uint64_t>* places = &each.cell_at(distance);
            for (std::uint32_t i = 0; i < last; i++)
                words[done + i] = core::sum(are_real, words[done + i], places[i].load());
        });
        done += last;
    }
}

} // namespace core
} // namespace mpit
