// SPDX-License-Identifier: BSD-3-Clause
// A value and its flags that change together, by plain stores of the one thread that uses them most: their owner. Another thread
// takes them over before its first change, with a heavy fence; from then on they are a double_word, which all threads change by
// a locked instruction. No thread waits for another one, even if that stands still.
//
//   if (pair.is_owned_by(me)) { word_pair seen = pair.load_as_owner(); …  pair.change_as_owner(me, value, flags); }
//   else double_word& there = pair.share(shared, fences);
#pragma once

#include <mpit/concurrency/double_word.hpp>
#include <mpit/concurrency/fence.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The owner writes the new value beside the present one, and then the flags, which say where the present one is. Afterwards it
// reads whether it still is the owner. A thread that takes over says so first, runs the heavy fence and reads the flags then: either it
// finds a change, or the owner finds that it lost the pair. Of the flags that several threads find, the first ones that are settled
// count; an owner whose last change does not count makes it again.
class owned_pair {
public:
    // Two bits of the user's flags. The bits from `stamp_shift` on differ between the pairs that one place has one after the other.
    static constexpr std::uint64_t second_place = 8, away = 0x80;
    static constexpr int stamp_shift = 8;

    // Begins with an owner, whose address is even. No other thread uses the pair yet. False, and nothing is done, without an owner or
    // if a former one might still write here.
    bool begin(double_word& shared, const word_pair& initial, const void* owner) noexcept {
        if (owner == nullptr || (former_owner_ != nullptr && former_owner_ != owner)) return false;
        former_owner_ = nullptr;
        settled_.store(stamp_of(initial.flags));
        values_[0].store(initial.value);
        flags_.store(initial.flags);
        owner_.store(reinterpret_cast<std::uintptr_t>(owner));
        shared.assign({0, stamp_of(initial.flags) | away});
        return true;
    }
    // The pair is used no more. Only its owner knows that no change of its own is under way.
    void end(double_word& shared, const void* me) noexcept {
        if ((shared.flags() & away) != 0) shared.assign({});
        const std::uint64_t owner = owner_.load() & ~taken_over;
        owner_.store(0);
        if (owner != 0 && owner != reinterpret_cast<std::uintptr_t>(me)) former_owner_ = reinterpret_cast<const void*>(owner);
    }
    // The owner whose pair another thread has ended, perhaps in the middle of a change; null if there is none.
    const void* former_owner() const noexcept { return former_owner_; }
    // Its changes have ended.
    void forget_former_owner() noexcept { former_owner_ = nullptr; }

    // For the owner, and not in a signal handler that has interrupted one of these functions.
    [[gnu::always_inline]] bool is_owned_by(const void* me) const noexcept {
        return owner_.has(reinterpret_cast<std::uintptr_t>(me));
    }
    [[gnu::always_inline]] word_pair load_as_owner() const noexcept {
        const std::uint64_t flags = flags_.load();
        return {place_of(flags).load(), flags};
    }
    // `flags` has the bit `second_place` of `seen`. False if the pair was taken over without the change.
    [[gnu::always_inline]] bool change_as_owner(const void* me, std::uint64_t value, std::uint64_t flags) noexcept {
        const std::uint64_t next = flags ^ second_place;
        place_of(next).store(value);
        flags_.store(next);
        fence_pair::light(true);
        return is_owned_by(me) || counts(next);
    }

    // For all threads. What is read belongs together.
    word_pair load(double_word& shared, const fence_pair& fences) noexcept {
        for (;;) {
            const word_pair seen = shared.load();
            if ((seen.flags & away) == 0) return seen;
            const std::uint64_t flags = flags_.load();
            const std::uint64_t value = place_of(flags).load();
            if (!flags_.has(flags)) continue;
            // At last: a change that does not count is seen after the pair is said to be taken over.
            if ((owner_.load() & taken_over) == 0) return {value, flags};
            share(shared, fences);
        }
    }
    // Takes the pair over, unless that is done: from now on it is `shared`.
    void share(double_word& shared, const fence_pair& fences) noexcept {
        const word_pair seen = shared.load();
        if ((seen.flags & away) != 0) [[unlikely]]
            take_over(shared, seen, fences);
    }

private:
    static constexpr std::uint64_t taken_over = 1, settled = 0x10;
    static constexpr std::uint64_t stamp_of(std::uint64_t flags) noexcept {
        return flags & double_word::user_mask & ~((std::uint64_t{1} << stamp_shift) - 1);
    }
    [[gnu::always_inline]] atomic<std::uint64_t>& place_of(std::uint64_t flags) noexcept {
        return *reinterpret_cast<atomic<std::uint64_t>*>(reinterpret_cast<char*>(values_) + (flags & second_place));
    }
    [[gnu::always_inline]] const atomic<std::uint64_t>& place_of(std::uint64_t flags) const noexcept {
        return const_cast<owned_pair*>(this)->place_of(flags);
    }
    [[gnu::cold, gnu::noinline]] void take_over(double_word& shared, const word_pair& seen,
                                                const fence_pair& fences) noexcept {
        const std::uint64_t owner = owner_.load();
        if ((owner & taken_over) == 0) owner_.replace(owner, owner | taken_over);
        fences.heavy();
        settle(shared, seen, flags_.load());
    }
    // The first flags that are settled count. If the pair is another one by now, it stays as it is.
    void settle(double_word& shared, const word_pair& seen, std::uint64_t flags) noexcept {
        const std::uint64_t stamp = stamp_of(seen.flags);
        settled_.replace(stamp, flags | settled);
        const std::uint64_t found = settled_.load();
        word_pair expected = seen;
        if (stamp_of(found) == stamp && found != stamp)
            shared.replace(expected, {place_of(found).load(), found & ~(settled | second_place)});
    }
    // Whether the last change of the owner is a part of what is taken over. No call, so that the owner saves no registers.
    [[gnu::always_inline]] bool counts(std::uint64_t flags) noexcept {
        return settled_.replace(stamp_of(flags), flags | settled) || settled_.has(flags | settled);
    }

    atomic<std::uint64_t> owner_; // an address; 0 for none
    atomic<std::uint64_t> flags_;
    atomic<std::uint64_t> values_[2];
    atomic<std::uint64_t> settled_; // the stamp, until flags are settled
    const void* former_owner_ = nullptr;
};

} // namespace core
} // namespace mpit
