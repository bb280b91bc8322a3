// SPDX-License-Identifier: BSD-3-Clause
// Thread shards: every thread counts in cells of its own, so that counting costs a plain addition and threads do not
// disturb each other. A total is the sum over all shards. A shard is never emptied: a new thread takes over the shard
// of a thread that has ended, which keeps every total and needs no code at thread exit; the kernel is asked whether the
// old thread still exists. There are at most twice as many shards as threads were alive during one walk over all
// shards.
//
//   mpit::internal::shard_cell calls;  calls.add(1);  calls.total();
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/fence.hpp>
#include <mpit/concurrency/thread_storage.h>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

struct instance;

// Where a thread keeps an instance of an event during its callbacks.
struct instance_place {
    atomic<std::uint64_t> word; // the handle, or 0
    atomic<const instance*> shown;
    atomic<std::uint32_t> generation;
    atomic<std::uint32_t> depth; // of the delivery's frame on the stack, and its level
};
inline constexpr std::uint32_t deepest_nesting = 256;

// The owner of a shard in a word: its process and its thread, as this_thread_identity() tells them, and in the bits that no
// number of a thread has, how often it has changed. So a compare-exchange with the word of an ended thread fails where the
// kernel has given its number to a later thread.
struct shard_owner {
    static constexpr std::uint64_t changes = 0xffc0'0000'ffc0'0000;
    static constexpr std::uint64_t thread(std::uint64_t word) noexcept { return word & ~changes; }
    static constexpr std::uint64_t next(std::uint64_t word, std::uint64_t thread) noexcept {
        return (((word | ~changes) + 1) & changes) | thread;
    }
};

struct alignas(64) shard {
    static constexpr std::uint32_t known_behind = 8;

    atomic<std::uint64_t> owner; // the thread is 0 where a fork has left it behind
    std::uint32_t number = 0;
    atomic<std::uint32_t> quick_state;    // 1 while the thread reads in a few instructions
    atomic<std::uint64_t> reader_state;   // odd while the thread is a reader; each guard has another number
    atomic<std::uint64_t> nesting;        // instances that are shown
    instance_place* instances = nullptr;  // behind the cells, so that a thread without events does not touch their pages
    // The shards behind this one, so that a sum over many has eight loads under way instead of one. On a line of their own, which
    // never changes.
    alignas(64) shard* behind[known_behind] = {};

    shard* next() const noexcept { return behind[0]; }
    void come_before(shard* first) noexcept {
        behind[0] = first;
        for (std::uint32_t i = 1; i < known_behind; i++) behind[i] = first != nullptr ? first->behind[i - 1] : nullptr;
    }
    // Calls `visit(shard)` for this shard and all behind it.
    template <class Visit> [[gnu::always_inline]] static void for_each(const shard* first, Visit visit) noexcept {
        for (const shard* each = first; each != nullptr; each = each->behind[known_behind - 1]) {
            visit(*each);
            for (std::uint32_t i = 0; i + 1 < known_behind; i++) {
                if (each->behind[i] == nullptr) return;
                visit(*each->behind[i]);
            }
        }
    }

    std::uint64_t thread() const noexcept { return shard_owner::thread(owner.load()); }
    // The cells of counters, and behind them those in which the thread announces itself to registrations.
    atomic<std::uint64_t>* cells() noexcept { return reinterpret_cast<atomic<std::uint64_t>*>(this + 1); }
    // The same by bytes from the beginning of a shard.
    static constexpr std::uint64_t distance_of(std::uint32_t cell) noexcept;
    const atomic<std::uint64_t>& cell_at(std::uint64_t distance) const noexcept {
        return *reinterpret_cast<const atomic<std::uint64_t>*>(reinterpret_cast<const char*>(this) + distance);
    }
};

constexpr std::uint64_t shard::distance_of(std::uint32_t cell) noexcept {
    return sizeof(shard) + std::uint64_t{cell} * sizeof(atomic<std::uint64_t>);
}

// Where each shard has the cells of a tally: the changes that have begun, their sum, those that have ended.
struct tally_place {
    static constexpr std::uint32_t begun = 0, summed = 1, ended = 2, cell_count = 3;

    std::uint32_t first = 0;
    tally_place* next = nullptr;
};

// The shards of the process. It lives in memory that no shared object owns.
struct shard_set {
    atomic<shard*> first;
    atomic<shard*> candidate; // where the search for a shard whose thread has ended continues
    atomic<std::uint32_t> next_cell;
    std::uint32_t cell_count; // of counters, in every shard: chosen by the copy that made the registry
    atomic<std::uint32_t> next_in_flight_cell;
    atomic<std::uint32_t> shard_count, most_shards; // the second one grows where all shards were found in use
    atomic<std::uint32_t> readers_without_shard;    // readers without a shard
    core::fence_pair fences;                        // between readers and the unloads that wait for them
    atomic<tally_place*> tallies;

    // Called before the set is shared.
    void begin(std::uint32_t cells) noexcept {
        cell_count = cells;
        fences.decide();
    }
    std::uint32_t in_flight_cell_count() const noexcept { return cell_count / 4; }
    std::size_t bytes_before_instances() const noexcept {
        return sizeof(shard) + std::size_t{cell_count + in_flight_cell_count()} * sizeof(atomic<std::uint64_t>);
    }
    std::size_t bytes_of_shard() const noexcept { return bytes_before_instances() + deepest_nesting * sizeof(instance_place); }
    void keep(tally_place& made) noexcept {
        made.next = tallies.load();
        while (!tallies.compare_exchange(made.next, &made)) {}
    }
    // Forgets what a thread that is no more was doing; what it has counted stays.
    void forget_activity(shard& ended) const noexcept {
        ended.reader_state.store(0);
        ended.quick_state.store(0);
        ended.nesting.store(0);
        // A page that was never written stays without memory.
        for (std::uint32_t i = 0; i < deepest_nesting; i++)
            if (ended.instances[i].word.load() != 0) ended.instances[i].word.store(0);
        const std::uint32_t taken = next_in_flight_cell.load();
        for (std::uint32_t i = 0; i < taken && i < in_flight_cell_count(); i++) ended.cells()[cell_count + i].store(0);
        for (const tally_place* tally = tallies.load(); tally != nullptr; tally = tally->next)
            if (cell_count >= tally_place::cell_count && tally->first <= cell_count - tally_place::cell_count)
                forget_change(ended.cells() + tally->first);
    }
    // A change that was begun will never end.
    static void forget_change(atomic<std::uint64_t>* cells) noexcept {
        const atomic<std::uint64_t>& ended = cells[tally_place::ended];
        std::uint64_t begun = cells[tally_place::begun].load();
        while (begun != ended.load() && !cells[tally_place::begun].compare_exchange(begun, ended.load())) {}
    }
};

inline constexpr std::uint32_t no_shard_cell = 0xffffffff;

// This shared object's way to the shards; null until its first tree is registered.
MPIT_MODULE_LOCAL inline constinit atomic<shard_set*> shards{nullptr};

struct own_shard {
    atomic<std::uint64_t>* cells = nullptr;
    std::uint32_t count = 0;
    bool has_free_fences = false;                 // the light ones
    atomic<std::uint32_t>* quick_state = nullptr; // of its shard, if it has free fences
};
MPIT_MODULE_LOCAL inline constinit thread_local own_shard this_thread_shard [[gnu::tls_model(MPIT_THREAD_STORAGE)]]{};

namespace MPIT_MODULE_LOCAL detail {

// With one function, because the loader searches for each in each process.
inline std::uint64_t this_thread_identity() noexcept {
    return static_cast<std::uint64_t>(syscall(SYS_getpid)) << 32 | static_cast<std::uint32_t>(syscall(SYS_gettid));
}
// Whether the kernel refuses to tell the thread's number, as a sandbox may: then all threads look alike.
inline bool is_nameless(std::uint64_t identity) noexcept {
    return static_cast<std::uint32_t>(identity) == static_cast<std::uint32_t>(-1);
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

// The shard that this thread has already, or one of an ended thread of the same number; null without one.
inline shard* shard_of_thread(shard_set& set, std::uint64_t mine) noexcept {
    for (shard* each = set.first.load(); each != nullptr; each = each->next()) {
        std::uint64_t seen = each->owner.load();
        while (shard_owner::thread(seen) == mine)
            if (each->owner.compare_exchange(seen, shard_owner::next(seen, mine))) return each;
    }
    return nullptr;
}

// The first shard whose thread has ended, of so many at most; null if all of these are in use.
inline shard* ended_shard(shard_set& set, std::uint64_t mine, std::uint32_t most) noexcept {
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

// A pass over all shards that finds no ended thread allows twice as many shards as threads, this one included. So while the
// number of threads grows, each start costs one question to the kernel on average.
inline shard* new_shard(shard_set& set, std::uint64_t mine) noexcept {
    shard* made = nullptr;
    std::uint32_t count = set.shard_count.load();
    for (;;) {
        std::uint32_t most = set.most_shards.load();
        if (count < most) {
            if (made == nullptr)
                made = static_cast<shard*>(core::pages(set.bytes_of_shard())); // zeros are its initial state
            if (made == nullptr) return nullptr;
            if (set.shard_count.compare_exchange(count, count + 1)) break;
        } else {
            if (shard* ended = ended_shard(set, mine, count)) {
                if (made != nullptr) core::release_memory(made, set.bytes_of_shard());
                return ended;
            }
            while (most < 2 * (count + 1) && !set.most_shards.compare_exchange(most, 2 * (count + 1))) {}
            count = set.shard_count.load();
        }
    }
    made->owner.store(mine);
    made->number = count;
    made->instances = reinterpret_cast<instance_place*>(reinterpret_cast<char*>(made) + set.bytes_before_instances());
    shard* first = set.first.load();
    do made->come_before(first);
    while (!set.first.compare_exchange(first, made));
    return made;
}

// Gives this thread a shard, or none if there is no memory or the thread has no number. Safe in a signal handler: at worst a thread has two.
[[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL inline void find_shard(shard_set& set) noexcept {
    constexpr std::uint32_t few = 4;
    const int kept = errno;
    const std::uint64_t mine = this_thread_identity();
    if (is_nameless(mine)) {
        errno = kept;
        return;
    }
    shard* found = shard_of_thread(set, mine);
    if (found == nullptr) found = ended_shard(set, mine, few);
    if (found == nullptr) found = new_shard(set, mine);
    if (found != nullptr) {
        this_thread_shard.cells = found->cells();
        this_thread_shard.has_free_fences = set.fences.is_one_sided();
        this_thread_shard.quick_state = this_thread_shard.has_free_fences ? &found->quick_state : nullptr;
        __asm__ __volatile__("" ::: "memory"); // a signal handler that sees the count must see the cells
        this_thread_shard.count = set.cell_count;
    }
}

// Whether this thread has a cell of the number, in the shard that it is given if it has none yet.
MPIT_MODULE_LOCAL [[gnu::cold]] inline bool has_shard_cell(std::uint32_t number) noexcept {
    shard_set* set = shards.load();
    if (set == nullptr || number >= set->cell_count) return false;
    if (this_thread_shard.count == 0) find_shard(*set);
    return number < this_thread_shard.count;
}

} // namespace detail

// The shard of this thread if it has one already, or null.
MPIT_MODULE_LOCAL inline shard* present_shard() noexcept {
    return this_thread_shard.count != 0 ? reinterpret_cast<shard*>(this_thread_shard.cells) - 1 : nullptr;
}
// The shard of this thread; null without memory.
MPIT_MODULE_LOCAL inline shard* own_shard_of_thread() noexcept {
    if (this_thread_shard.count == 0) [[unlikely]]
        if (shard_set* set = shards.load()) detail::find_shard(*set);
    return present_shard();
}

// A cell in every shard, with one that all threads share for what is counted before it has a number.
class shard_cell {
public:
    constexpr shard_cell() noexcept {}
    constexpr explicit shard_cell(std::uint64_t start) noexcept : shared_{start} {}

    MPIT_MODULE_LOCAL void add(std::uint64_t n) noexcept {
        const std::uint32_t index = number_.load(core::relaxed);
        if (index < this_thread_shard.count) [[likely]]
            this_thread_shard.cells[index].add_as_owner(n);
        else add_without_shard(index, n);
    }
    // The same for a cell that holds the bits of a double.
    MPIT_MODULE_LOCAL void add_real(double n) noexcept {
        const std::uint32_t index = number_.load(core::relaxed);
        if (index < this_thread_shard.count || detail::has_shard_cell(index))
            core::add_real_as_owner(this_thread_shard.cells[index], n);
        else core::add_real(shared_, n);
    }
    MPIT_MODULE_LOCAL std::uint64_t total() const noexcept {
        const std::uint32_t index = number_.load();
        return total_at(shared_, shard::distance_of(index), first_shard(index));
    }
    // The same for callers that know its parts.
    MPIT_MODULE_LOCAL static std::uint64_t total_at(const atomic<std::uint64_t>& shared, std::uint64_t distance,
                                                    const shard* first) noexcept {
        std::uint64_t sum = shared.load();
        shard::for_each(first, [&](const shard& each) __attribute__((always_inline)) { sum += each.cell_at(distance).load(); });
        return sum;
    }
    // Of few shards, in fewer instructions for one.
    [[gnu::always_inline]] MPIT_MODULE_LOCAL static std::uint64_t total_of_few(const atomic<std::uint64_t>& shared,
                                                                               std::uint64_t distance,
                                                                               const shard* first) noexcept {
        std::uint64_t sum = shared.load();
        for (const shard* each = first; each != nullptr; each = each->next()) sum += each->cell_at(distance).load();
        return sum;
    }
    MPIT_MODULE_LOCAL double total_real() const noexcept {
        double sum = core::double_of(shared_.load());
        const std::uint32_t index = number_.load();
        shard::for_each(first_shard(index), [&](const shard& each) { sum += core::double_of(each.cell_at(shard::distance_of(index)).load()); });
        return sum;
    }
    // The totals of `count` cells whose numbers follow each other, in one walk over the shards: `cell_at(i)` is one of them, and
    // `sum` adds the words of two cells.
    template <class CellAt, class Sum>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL static void totals(std::uint32_t count, CellAt cell_at, Sum sum, std::uint64_t* words) noexcept {
        for (std::uint32_t i = 0; i < count; i++) words[i] = cell_at(i).shared_.load();
        const std::uint32_t index = cell_at(0).number_.load();
        const shard_set* set = shards.load();
        if (set == nullptr || index >= set->cell_count) return;
        const std::uint32_t behind = set->cell_count - index, numbered = count < behind ? count : behind;
        shard::for_each(set->first.load(), [&](const shard& each) {
            const atomic<std::uint64_t>* cells = &each.cell_at(shard::distance_of(index));
            for (std::uint32_t i = 0; i < numbered; i++) words[i] = sum(words[i], cells[i].load());
        });
    }
    void number(std::uint32_t cell) noexcept { number_.store(cell); }
    // Its two parts, for reads of many: the cell that all threads share, and the number in every shard.
    const atomic<std::uint64_t>& shared() const noexcept { return shared_; }
    std::uint32_t number_in_shards() const noexcept { return number_.load(); }
    constexpr void begin_with(std::uint64_t start) noexcept { shared_.begin_with(start); }
    // For cells without a number, which are in no shard.
    void reset(std::uint64_t start) noexcept { shared_.store(start); }

private:
    MPIT_MODULE_LOCAL static shard* first_shard(std::uint32_t index) noexcept {
        const shard_set* set = shards.load();
        return set != nullptr && index < set->cell_count ? set->first.load() : nullptr;
    }
    // Cells of objects have no number.
    MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] void add_without_shard(std::uint32_t index,
                                                                          std::uint64_t n) noexcept {
        if (index != no_shard_cell) return add_in_new_shard(index, n);
        shared_.fetch_add(n);
    }
    MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] void add_in_new_shard(std::uint32_t index,
                                                                         std::uint64_t n) noexcept {
        if (detail::has_shard_cell(index)) this_thread_shard.cells[index].add_as_owner(n);
        else shared_.fetch_add(n);
    }

    atomic<std::uint64_t> shared_;
    atomic<std::uint32_t> number_{no_shard_cell};
};

} // namespace internal
} // namespace mpit
