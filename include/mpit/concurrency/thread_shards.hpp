// SPDX-License-Identifier: BSD-3-Clause
// Lanes: every thread counts in cells of its own, so that counting costs a plain addition and threads do not disturb each
// other. A total is the sum over all lanes. A lane is never emptied: a new thread goes on with the cells of one that has
// ended, which keeps every total and needs no code at thread exit: the kernel is asked whether it still knows the thread.
// There are at most twice as many lanes as there were threads during one look over all lanes.
//
//   mpit::internal::lane_cell calls;  calls.add(1);  calls.total();
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/fence.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

struct instance;

// Where a thread shows an instance of an event while callbacks look at it.
struct instance_place {
    atomic<std::uint64_t> word; // the handle, or 0
    atomic<const instance*> shown;
    atomic<std::uint32_t> generation;
    atomic<std::uint32_t> depth; // of the delivery's frame on the stack, and its level
};
inline constexpr std::uint32_t deepest_nesting = 256;

// The owner of a lane in a word: its process and its thread, as this_thread_identity() tells them, and in the bits that no
// number of a thread has, how often it has changed. So a compare-exchange with the word of an ended thread fails where the
// kernel has given its number to a later thread.
struct lane_owner {
    static constexpr std::uint64_t changes = 0xffc0'0000'ffc0'0000;
    static constexpr std::uint64_t thread(std::uint64_t word) noexcept { return word & ~changes; }
    static constexpr std::uint64_t next(std::uint64_t word, std::uint64_t thread) noexcept {
        return (((word | ~changes) + 1) & changes) | thread;
    }
};

struct alignas(64) lane {
    atomic<std::uint64_t> owner; // the thread is 0 where a fork has left it behind
    lane* next = nullptr;
    std::uint32_t number = 0;
    atomic<std::uint64_t> looking; // odd while the thread looks at variables for a tool; each look has another number
    atomic<std::uint64_t> nesting; // instances that are shown
    instance_place instances[deepest_nesting];

    std::uint64_t thread() const noexcept { return lane_owner::thread(owner.load()); }
    // The cells of counters, and behind them those in which the thread announces itself to registrations.
    atomic<std::uint64_t>* cells() noexcept { return reinterpret_cast<atomic<std::uint64_t>*>(this + 1); }
};

// Where each lane has the cells of a tally: the changes that have begun, their sum, those that have ended.
struct tally_place {
    static constexpr std::uint32_t begun = 0, summed = 1, ended = 2, cell_count = 3;

    std::uint32_t first = 0;
    tally_place* next = nullptr;
};

// The lanes of the process. It lives in memory that no shared object owns.
struct lane_set {
    atomic<lane*> first;
    atomic<lane*> candidate; // where the search for a lane whose thread has ended goes on
    atomic<std::uint32_t> next_cell;
    std::uint32_t cell_count; // of counters, in every lane: who made the index has chosen
    atomic<std::uint32_t> next_presence;
    atomic<std::uint32_t> lane_count, most_lanes; // the second one grows where all lanes were found in use
    atomic<std::uint32_t> looking; // threads without a lane that look at variables for a tool
    core::fence_pair fences;       // between those who announce themselves and those who look for them
    atomic<tally_place*> tallies;

    // To be called before anybody else knows the set.
    void begin(std::uint32_t cells) noexcept {
        cell_count = cells;
        fences.decide();
    }
    std::uint32_t presence_count() const noexcept { return cell_count / 4; }
    std::size_t bytes_of_lane() const noexcept {
        return sizeof(lane) + (cell_count + presence_count()) * sizeof(atomic<std::uint64_t>);
    }
    void keep(tally_place& made) noexcept {
        made.next = tallies.load();
        while (!tallies.compare_exchange(made.next, &made)) {}
    }
    // Forgets what a thread that is no more was doing; what it has counted stays.
    void forget_activity(lane& of) const noexcept {
        of.looking.store(0);
        of.nesting.store(0);
        for (instance_place& each : of.instances) each.word.store(0);
        const std::uint32_t taken = next_presence.load();
        for (std::uint32_t i = 0; i < taken && i < presence_count(); i++) of.cells()[cell_count + i].store(0);
        for (const tally_place* at = tallies.load(); at != nullptr; at = at->next)
            if (cell_count >= tally_place::cell_count && at->first <= cell_count - tally_place::cell_count)
                forget_change(of.cells() + at->first);
    }
    // A change that was begun will never end.
    static void forget_change(atomic<std::uint64_t>* cells) noexcept {
        const atomic<std::uint64_t>& ended = cells[tally_place::ended];
        std::uint64_t begun = cells[tally_place::begun].load();
        while (begun != ended.load() && !cells[tally_place::begun].compare_exchange(begun, ended.load())) {}
    }
};

inline constexpr std::uint32_t no_lane_cell = 0xffffffff;

// This shared object's way to the lanes; null until its first tree is enrolled.
MPIT_MODULE_LOCAL inline constinit atomic<lane_set*> lanes{nullptr};

struct own_lane {
    atomic<std::uint64_t>* cells = nullptr;
    std::uint32_t count = 0;
    bool has_free_fences = false; // the light ones
};
MPIT_MODULE_LOCAL inline constinit thread_local own_lane this_thread_lane [[gnu::tls_model(MPIT_THREAD_STORAGE)]]{};

namespace MPIT_MODULE_LOCAL detail {

inline std::uint64_t this_thread_identity() noexcept {
    return static_cast<std::uint64_t>(getpid()) << 32 | static_cast<std::uint32_t>(syscall(SYS_gettid));
}

// A lane of another process, which a fork has copied, may still be counted in by the thread that forked.
inline bool has_ended(std::uint64_t identity, std::uint64_t mine) noexcept {
    if (identity == 0) return true;
    if (identity >> 32 != mine >> 32) return false;
    const auto process = static_cast<pid_t>(identity >> 32), thread = static_cast<pid_t>(identity & 0xffffffff);
    const int kept = errno;
    const bool is_gone = syscall(SYS_tgkill, process, thread, 0) != 0 && errno == ESRCH;
    errno = kept;
    return is_gone;
}

// The lane that this thread has already, or one of an ended thread of the same number; null without one.
inline lane* lane_of_thread(lane_set& set, std::uint64_t mine) noexcept {
    for (lane* at = set.first.load(); at != nullptr; at = at->next) {
        std::uint64_t seen = at->owner.load();
        while (lane_owner::thread(seen) == mine)
            if (at->owner.compare_exchange(seen, lane_owner::next(seen, mine))) return at;
    }
    return nullptr;
}

// The first lane whose thread has ended, of so many at most; null where all of these are in use.
inline lane* ended_lane(lane_set& set, std::uint64_t mine, std::uint32_t most) noexcept {
    lane* at = set.candidate.load();
    for (std::uint32_t tries = 0; tries < most; tries++) {
        if (at == nullptr) at = set.first.load();
        if (at == nullptr) return nullptr;
        const std::uint64_t seen = at->owner.load();
        if (has_ended(lane_owner::thread(seen), mine) && at->owner.replace(seen, lane_owner::next(seen, mine))) {
            set.forget_activity(*at);
            return at;
        }
        at = at->next;
        set.candidate.store(at);
    }
    return nullptr;
}

// A pass over all lanes that finds no ended thread allows twice as many lanes as threads, this one included. So while the
// number of threads grows, each start costs one question to the kernel on average.
inline lane* new_lane(lane_set& set, std::uint64_t mine) noexcept {
    lane* made = nullptr;
    std::uint32_t count = set.lane_count.load();
    for (;;) {
        std::uint32_t most = set.most_lanes.load();
        if (count < most) {
            if (made == nullptr)
                made = static_cast<lane*>(core::pages(set.bytes_of_lane())); // zeros are its initial state
            if (made == nullptr) return nullptr;
            if (set.lane_count.compare_exchange(count, count + 1)) break;
        } else {
            if (lane* ended = ended_lane(set, mine, count)) {
                if (made != nullptr) core::give_back(made, set.bytes_of_lane());
                return ended;
            }
            while (most < 2 * (count + 1) && !set.most_lanes.compare_exchange(most, 2 * (count + 1))) {}
            count = set.lane_count.load();
        }
    }
    made->owner.store(mine);
    made->number = count;
    lane* first = set.first.load();
    do made->next = first;
    while (!set.first.compare_exchange(first, made));
    return made;
}

// Gives this thread a lane, or none where there is no memory. Safe in a signal handler: at worst a thread has two.
[[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL inline void find_lane(lane_set& set) noexcept {
    constexpr std::uint32_t few = 4;
    const std::uint64_t mine = this_thread_identity();
    lane* found = lane_of_thread(set, mine);
    if (found == nullptr) found = ended_lane(set, mine, few);
    if (found == nullptr) found = new_lane(set, mine);
    if (found != nullptr) {
        this_thread_lane.cells = found->cells();
        this_thread_lane.has_free_fences = set.fences.is_one_sided();
        __asm__ __volatile__("" ::: "memory"); // a signal handler that sees the count must see the cells
        this_thread_lane.count = set.cell_count;
    }
}

// Whether this thread has a cell of the number, in the lane that it is given where it has none yet.
MPIT_MODULE_LOCAL [[gnu::cold]] inline bool has_lane_cell(std::uint32_t number) noexcept {
    lane_set* set = lanes.load();
    if (set == nullptr || number >= set->cell_count) return false;
    if (this_thread_lane.count == 0) find_lane(*set);
    return number < this_thread_lane.count;
}

} // namespace detail

// The lane of this thread where it has one already, or null.
MPIT_MODULE_LOCAL inline lane* present_lane() noexcept {
    return this_thread_lane.count != 0 ? reinterpret_cast<lane*>(this_thread_lane.cells) - 1 : nullptr;
}
// The lane of this thread; null without memory.
MPIT_MODULE_LOCAL inline lane* own_lane_of_thread() noexcept {
    if (this_thread_lane.count == 0) [[unlikely]]
        if (lane_set* set = lanes.load()) detail::find_lane(*set);
    return present_lane();
}

// A cell in every lane, with one that all threads share for what is counted before it has a number.
class lane_cell {
public:
    constexpr lane_cell() noexcept {}
    constexpr explicit lane_cell(std::uint64_t start) noexcept : shared_{start} {}

    MPIT_MODULE_LOCAL void add(std::uint64_t n) noexcept {
        const std::uint32_t at = number_.load(core::relaxed);
        if (at < this_thread_lane.count) [[likely]]
            this_thread_lane.cells[at].add_as_owner(n);
        else
            add_without_lane(at, n);
    }
    // The same for a cell that holds the bits of a double.
    MPIT_MODULE_LOCAL void add_real(double n) noexcept {
        const std::uint32_t at = number_.load(core::relaxed);
        if (at < this_thread_lane.count || detail::has_lane_cell(at))
            core::add_real_as_owner(this_thread_lane.cells[at], n);
        else core::add_real(shared_, n);
    }
    MPIT_MODULE_LOCAL std::uint64_t total() const noexcept {
        std::uint64_t sum = shared_.load();
        const std::uint32_t at = number_.load();
        for (lane* l = first_lane(at); l != nullptr; l = l->next) sum += l->cells()[at].load();
        return sum;
    }
    MPIT_MODULE_LOCAL double total_real() const noexcept {
        double sum = core::double_of(shared_.load());
        const std::uint32_t at = number_.load();
        for (lane* l = first_lane(at); l != nullptr; l = l->next) sum += core::double_of(l->cells()[at].load());
        return sum;
    }
    void number(std::uint32_t cell) noexcept { number_.store(cell); }
    // The two parts of it, for who reads many: the cell that all threads share, and the number in every lane.
    const atomic<std::uint64_t>& shared() const noexcept { return shared_; }
    std::uint32_t number_in_lanes() const noexcept { return number_.load(); }
    constexpr void begin_with(std::uint64_t start) noexcept { shared_.begin_with(start); }
    // For cells without a number, which are in no lane.
    void reset(std::uint64_t start) noexcept { shared_.store(start); }

private:
    MPIT_MODULE_LOCAL static lane* first_lane(std::uint32_t at) noexcept {
        const lane_set* set = lanes.load();
        return set != nullptr && at < set->cell_count ? set->first.load() : nullptr;
    }
    MPIT_MODULE_LOCAL [[gnu::cold, gnu::noinline]] void add_without_lane(std::uint32_t at, std::uint64_t n) noexcept {
        if (detail::has_lane_cell(at)) this_thread_lane.cells[at].add_as_owner(n);
        else shared_.fetch_add(n);
    }

    atomic<std::uint64_t> shared_;
    atomic<std::uint32_t> number_{no_lane_cell};
};

} // namespace internal
} // namespace mpit
