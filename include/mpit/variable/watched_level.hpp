// SPDX-License-Identifier: BSD-3-Clause
// The level of a resource, such as the length of a queue, and the level's watermarks. A tool's handle on a watermark is
// attached to the level. The slot of an attached handle stores the highest or lowest value of the level. While no
// handle is attached, a change of the level reads only one additional word.
//
//   mpit::level_cell<unsigned long> depth;  ++depth;  depth -= 1;  depth = 0;
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/atomic_word_pair.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The slot in which a level stores its highest or lowest value for an attached handle. Slots are never deallocated. The
// level reuses the slot of a freed handle.
struct mark {
    core::atomic_word_pair state; // extreme value and flags
    core::atomic<mark*> next;
    core::atomic<std::uint64_t> owner; // handle that uses the slot, as a word, or 0
    bool highest = false;

    static constexpr std::uint64_t running = 1; // flag that is set while changes of the level update the extreme value
};

inline constinit core::arena mark_memory;

// The base class of levels of integers and of doubles. A level has one word for its value, and a list of slots with one
// slot for each attached handle. Slots are never removed from the list.
class watched_level {
public:
    std::uint64_t word() const noexcept { return word_.load(core::seq_cst); }
    const void* stored() const noexcept { return &word_; }

    // Attaches a handle and returns the slot of the handle, or null if memory is exhausted. The list has no ABA
    // problem, because slots are pushed to the list but never popped.
    mark* attach(bool highest, std::uint64_t owner) noexcept {
        for (mark* entry = marks_.load(); entry != nullptr; entry = entry->next.load())
            if (entry->highest == highest && entry->owner.load(core::relaxed) == 0 &&
                entry->owner.compare_and_set(0, owner))
                return count_attached(entry);
        mark* new_mark = mark_memory.make<mark>();
        if (new_mark == nullptr) return nullptr;
        new_mark->owner.store(owner);
        new_mark->highest = highest;
        mark* head = marks_.load();
        do new_mark->next.store(head);
        while (!marks_.compare_exchange(head, new_mark));
        return count_attached(new_mark);
    }
    // Detaches a handle from the level. Does nothing if the slot already belongs to another handle.
    void detach(mark& entry, std::uint64_t owner) noexcept {
        if (entry.owner.compare_and_set(owner, 0)) watching_.fetch_add(-1u);
    }
    constexpr void initialize(std::uint64_t level) noexcept { word_.initialize(level); }
    // Sets the level of a freed MPI object for use by a new object. Detaches all handles from the level.
    void reset(std::uint64_t level) noexcept {
        word_.store(level);
        for (mark* entry = marks_.load(); entry != nullptr; entry = entry->next.load())
            if (const std::uint64_t owner = entry->owner.load()) detach(*entry, owner);
    }

protected:
    constexpr explicit watched_level(std::uint64_t word) noexcept : word_{word} {}

    // The accesses to the level form the store buffering (Dekker) pattern. A thread that changes the level writes
    // word_, then reads watching_ and the flags in the slots. A thread that starts a handle after attach() writes the
    // flags in the slot of the handle, then reads word_ (element_value::catch_up). All these accesses are seq_cst, so
    // that at least one of the two threads reads what the other thread has written. The load of watching_ pairs with
    // the addition in attach(). attach() pushes the slot before the addition, so that a thread that reads the addition
    // finds the slot in the list.
    void merge_change(std::uint64_t level, bool real) noexcept {
        if (watching_.load(core::seq_cst) != 0) [[unlikely]]
            merge_into_all(level, real);
    }
    core::atomic<std::uint64_t> word_;

private:
    mark* count_attached(mark* entry) noexcept {
        watching_.fetch_add(1);
        return entry;
    }
    static void merge(mark& entry, std::uint64_t level, bool real) noexcept {
        if ((entry.state.flags(core::seq_cst) & mark::running) == 0) return;
        core::word_pair expected = entry.state.load();
        while ((expected.flags & mark::running) != 0 && (entry.highest ? core::is_less(real, expected.value, level)
                                                                       : core::is_less(real, level, expected.value)))
            if (entry.state.compare_exchange(expected, {level, expected.flags})) return;
    }
    [[gnu::cold, gnu::noinline]] void merge_into_all(std::uint64_t level, bool real) noexcept {
        for (mark* entry = marks_.load(); entry != nullptr; entry = entry->next.load()) merge(*entry, level, real);
    }

    core::atomic<std::uint32_t> watching_; // number of attached handles
    core::atomic<mark*> marks_;            // head of the list of slots
};

} // namespace internal

// A level of type T, in the unit that the description of the variable names. The library must not make the level
// negative. Any thread and any signal handler may change and read the level. A change takes no lock, and updates the
// level's watermarks.
template <core::utilization T> class level_cell : public internal::watched_level {
public:
    // For the library's own use.
    static constexpr bool real = __is_same(T, double);

    MPIT_MODULE_LOCAL constexpr level_cell() noexcept : watched_level{0} {}
    MPIT_MODULE_LOCAL constexpr explicit level_cell(std::uint64_t word) noexcept : watched_level{word} {}

    MPIT_MODULE_LOCAL void operator=(T level) noexcept {
        word_.exchange(to_word(level));
        merge_change(to_word(level), real);
    }
    template <class N> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator+=(N amount) noexcept {
        add(static_cast<signed_type>(amount));
    }
    template <class N> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator-=(N amount) noexcept {
        add(-static_cast<signed_type>(amount));
    }
    MPIT_MODULE_LOCAL void operator++() noexcept { add(1); }
    MPIT_MODULE_LOCAL void operator++(int) noexcept { add(1); }
    MPIT_MODULE_LOCAL void operator--() noexcept { add(-1); }
    MPIT_MODULE_LOCAL void operator--(int) noexcept { add(-1); }
    // For the library's own use.
    MPIT_MODULE_LOCAL internal::watched_level& watched() noexcept { return *this; }
    // For the library's own use. Updates all attached watermarks after C code has changed the level.
    MPIT_MODULE_LOCAL void update_watermarks(std::uint64_t present) noexcept { merge_change(present, real); }
    // Returns the current level.
    MPIT_MODULE_LOCAL T get() const noexcept {
        if constexpr (real) return core::double_of(word());
        else return static_cast<T>(word());
    }

private:
    template <bool Real, class = void> struct signed_type_of {
        using type = std::int64_t;
    };
    template <class U> struct signed_type_of<true, U> {
        using type = double;
    };
    using signed_type = typename signed_type_of<real>::type;

    MPIT_MODULE_LOCAL static constexpr std::uint64_t to_word(T level) noexcept {
        if constexpr (real) return core::bits_of(level);
        else return level;
    }
    MPIT_MODULE_LOCAL void add(signed_type amount) noexcept {
        if constexpr (real) {
            merge_change(core::add_real(word_, amount), real);
        } else {
            const auto change = static_cast<std::uint64_t>(amount);
            merge_change(word_.fetch_add(change) + change, real);
        }
    }
};

namespace MPIT_MODULE_LOCAL internal {

// The cell of a watermark variable. The cell contains a level, or refers to the level of another variable of type T.
template <core::utilization T> class watermark_cell : public level_cell<T> {
public:
    constexpr watermark_cell() noexcept {}
    constexpr explicit watermark_cell(std::uint64_t start) noexcept : level_cell<T>{start} {}
    using level_cell<T>::operator=;
    watched_level& watched() noexcept { return other_ != nullptr ? *other_ : *this; }
    constexpr void watch_level(watched_level* other) noexcept { other_ = other; }

private:
    watched_level* other_ = nullptr; // level of another variable, or null for the level in this cell
};

} // namespace internal
} // namespace mpit
