// SPDX-License-Identifier: BSD-3-Clause
// The level of a resource, and the watermarks of the handles attached to it. Each handle on a watermark has its own;
// while none is attached, a change of the level reads one word more.
//
//   mpit::level_cell<unsigned long> depth;  ++depth;  depth -= 1;  depth = 0;
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/double_word.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The mark of one handle. Marks are never given back: a level uses one again when its handle was freed.
struct mark {
    core::double_word state; // the extreme level seen
    core::atomic<mark*> next;
    core::atomic<std::uint64_t> owner; // the handle, or 0
    bool highest = false;

    static constexpr std::uint64_t running = 1; // of the flags: changes of the level are merged
};

inline constinit core::arena mark_memory;

// The common part of levels of integers and doubles: a word, and the watermarks attached to it.
class watched_level {
public:
    std::uint64_t word() const noexcept { return word_.load(core::sequential); }
    const void* stored() const noexcept { return &word_; }

    // A mark for a handle; null without memory.
    mark* watch(bool highest, std::uint64_t owner) noexcept {
        for (mark* each = marks_.load(); each != nullptr; each = each->next.load())
            if (each->highest == highest && each->owner.load(core::relaxed) == 0 && each->owner.replace(0, owner))
                return counted(each);
        mark* made = mark_memory.make<mark>();
        if (made == nullptr) return nullptr;
        made->owner.store(owner);
        made->highest = highest;
        mark* first = marks_.load();
        do made->next.store(first);
        while (!marks_.compare_exchange(first, made));
        return counted(made);
    }
    // Does nothing if the watermark belongs to another handle by now.
    void leave(mark& left, std::uint64_t owner) noexcept {
        if (left.owner.replace(owner, 0)) watching_.fetch_add(-1u);
    }
    constexpr void begin_with(std::uint64_t level) noexcept { word_.begin_with(level); }
    // A new level in an old place: the handles that watched the old one have lost it.
    void reset(std::uint64_t level) noexcept {
        word_.store(level);
        for (mark* each = marks_.load(); each != nullptr; each = each->next.load())
            if (const std::uint64_t owner = each->owner.load()) leave(*each, owner);
    }

protected:
    constexpr explicit watched_level(std::uint64_t word) noexcept : word_{word} {}

    // A change of the level precedes its read of the watermarks, and a start precedes its read of the level: one of
    // the two always sees the other.
    void changed_to(std::uint64_t level, bool real) noexcept {
        if (watching_.load(core::sequential) != 0) [[unlikely]]
            merge_into_all(level, real);
    }
    core::atomic<std::uint64_t> word_;

private:
    mark* counted(mark* m) noexcept {
        watching_.fetch_add(1);
        return m;
    }
    static void merge(mark& m, std::uint64_t level, bool real) noexcept {
        if ((m.state.flags(core::sequential) & mark::running) == 0) return;
        core::word_pair seen = m.state.load();
        while ((seen.flags & mark::running) != 0 &&
               (m.highest ? core::is_less(real, seen.value, level) : core::is_less(real, level, seen.value)))
            if (m.state.replace(seen, {level, seen.flags})) return;
    }
    [[gnu::cold, gnu::noinline]] void merge_into_all(std::uint64_t level, bool real) noexcept {
        for (mark* each = marks_.load(); each != nullptr; each = each->next.load()) merge(*each, level, real);
    }

    core::atomic<std::uint32_t> watching_;
    core::atomic<mark*> marks_;
};

} // namespace internal

// A level of T, in the unit that the description of its variable says. The author keeps it at zero or above. Any thread
// and any signal handler may change and read it; a change takes no lock, and visits the watermarks that are attached.
template <core::utilization T> class level_cell : public internal::watched_level {
public:
    // For the library's own use.
    static constexpr bool real = __is_same(T, double);

    MPIT_MODULE_LOCAL constexpr level_cell() noexcept : watched_level{0} {}
    MPIT_MODULE_LOCAL constexpr explicit level_cell(std::uint64_t word) noexcept : watched_level{word} {}

    MPIT_MODULE_LOCAL void operator=(T level) noexcept {
        word_.exchange(to_word(level));
        changed_to(to_word(level), real);
    }
    template <class N> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator+=(N n) noexcept {
        add(static_cast<step>(n));
    }
    template <class N> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator-=(N n) noexcept {
        add(-static_cast<step>(n));
    }
    MPIT_MODULE_LOCAL void operator++() noexcept { add(1); }
    MPIT_MODULE_LOCAL void operator++(int) noexcept { add(1); }
    MPIT_MODULE_LOCAL void operator--() noexcept { add(-1); }
    MPIT_MODULE_LOCAL void operator--(int) noexcept { add(-1); }
    // For the library's own use.
    MPIT_MODULE_LOCAL internal::watched_level& watched() noexcept { return *this; }
    // For the library's own use: to its watermarks.
    MPIT_MODULE_LOCAL void tell(std::uint64_t present) noexcept { changed_to(present, real); }
    // The present level.
    MPIT_MODULE_LOCAL T get() const noexcept {
        if constexpr (real) return core::double_of(word());
        else return static_cast<T>(word());
    }

private:
    template <bool Real, class = void> struct step_of {
        using type = std::int64_t;
    };
    template <class U> struct step_of<true, U> {
        using type = double;
    };
    using step = typename step_of<real>::type;

    MPIT_MODULE_LOCAL static constexpr std::uint64_t to_word(T level) noexcept {
        if constexpr (real) return core::bits_of(level);
        else return level;
    }
    MPIT_MODULE_LOCAL void add(step n) noexcept {
        if constexpr (real) {
            changed_to(core::add_real(word_, n), real);
        } else {
            const auto change = static_cast<std::uint64_t>(n);
            changed_to(word_.fetch_add(change) + change, real);
        }
    }
};

namespace MPIT_MODULE_LOCAL internal {

// A level of its own, or the address of the level of another variable, which is of the same type.
template <core::utilization T> class watermark_cell : public level_cell<T> {
public:
    constexpr watermark_cell() noexcept {}
    constexpr explicit watermark_cell(std::uint64_t start) noexcept : level_cell<T>{start} {}
    using level_cell<T>::operator=;
    watched_level& watched() noexcept { return marked_ != nullptr ? *marked_ : *this; }
    constexpr void mark(watched_level* other) noexcept { marked_ = other; }

private:
    watched_level* marked_ = nullptr;
};

} // namespace internal
} // namespace mpit
