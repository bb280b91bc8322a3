// SPDX-License-Identifier: BSD-3-Clause
// A pool whose slots are owned by the threads that take them. The owner of a slot ends its handle by plain stores, and keeps the slot
// for a handle of its own. Another thread that ends the handle takes the right over before: the kernel runs a fence on every processor,
// about a microsecond. No thread waits. take(), close() and release() are not for signal handlers.
//
//   owned_slot_pool<slot> pool{tag, 0, 0}; kept_slots kept; slot* s = pool.take(word, &kept); …  if (pool.close(*s, word)) pool.release(*s, word, &kept);
#pragma once

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/function_ref.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// A thread as the owner of slots. Its number is that of its shard plus one.
struct slot_owner {
    static constexpr std::uint64_t most = 32;

    internal::shard* shard = nullptr; // null: the thread can own nothing, or has taken no slot yet
    std::uint64_t number = 0;

    [[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL void begin() noexcept {
        internal::shard* const mine = internal::own_shard_of_thread();
        if (mine == nullptr || !internal::this_thread_shard.has_free_fences || mine->number >= most) return;
        number = mine->number + 1;
        shard = mine;
    }
};
MPIT_MODULE_LOCAL inline constinit thread_local slot_owner this_slot_owner [[gnu::tls_model(MPIT_THREAD_STORAGE)]]{};

// The free slots of a pool that its threads keep, a list for each. The word of a list is the number of the first slot plus one, or 0, and
// in the upper half how many there are. A thread that takes over the shard of an ended one has its slots.
class kept_slots {
public:
    using list = atomic<std::uint64_t>;
    // Few, so that threads which free what others allocate leave them quick slots.
    static constexpr std::uint64_t most = 16, one_more = std::uint64_t{1} << 32;

    // Of a thread that can own slots.
    [[gnu::always_inline]] list& here() noexcept { return lists_[this_slot_owner.number - 1]; }
    // Not to be called while the pool is used.
    void clear() noexcept {
        for (list& each : lists_) each.store(0);
    }

private:
    list lists_[slot_owner::most];
};

// Which thread owns the slot of a handle. The upper half of the handle is a part of the word, so that no thread is taken for the owner of
// another handle in the same slot.
class slot_ownership {
public:
    // Of a slot that is about to become the handle; without an owner if its number is 0.
    [[gnu::always_inline]] void begin(std::uint64_t handle, std::uint64_t number) noexcept {
        word_.store(upper_half(handle) | number); // who reads this finds that the handle before has ended
    }
    [[gnu::always_inline]] bool is_of(std::uint64_t handle, std::uint64_t number) const noexcept {
        return word_.has(upper_half(handle) | number);
    }
    // Takes the slot over, in two steps with a heavy fence between them. Afterwards the owner finds that, or what it has announced before is
    // seen. The first one returns false if there is nothing left to do.
    bool begin_to_share(std::uint64_t handle) noexcept {
        const std::uint64_t seen = word_.load();
        if (owner_of(seen, handle) == 0 || (seen & shared) != 0) return false;
        if ((seen & taken) == 0) static_cast<void>(word_.replace(seen, seen | taken));
        return true;
    }
    void share_after_fence(std::uint64_t handle) noexcept {
        const std::uint64_t seen = word_.load();
        if (owner_of(seen, handle) != 0 && (seen & shared) == 0) static_cast<void>(word_.replace(seen, (seen & ~taken) | shared));
    }
    void share(std::uint64_t handle) noexcept {
        if (!begin_to_share(handle)) return;
        internal::shards.load()->fences.heavy();
        share_after_fence(handle);
    }
    // The number of the thread that owns the slot, or has owned it; 0 without one, and if the handle has ended.
    std::uint64_t owner(std::uint64_t handle) const noexcept { return owner_of(word_.load(), handle); }

private:
    static constexpr std::uint64_t taken = 1u << 30, shared = 1u << 31; // taken: the fence of one that takes over may not have run yet

    static constexpr std::uint64_t upper_half(std::uint64_t word) noexcept { return word >> 32 << 32; }
    static constexpr std::uint64_t owner_of(std::uint64_t word, std::uint64_t handle) noexcept {
        return upper_half(word) == upper_half(handle) ? word & ~(upper_half(word) | taken | shared) : 0;
    }

    atomic<std::uint64_t> word_;
};

struct owned_slot_header : slot_header {
    slot_ownership ownership;
};

// The slots of a pool whatever they hold, so that what is seldom done is compiled once for all pools. Where `kept` is null, threads keep
// none: those of an owner are of its first pool.
template <std::uint32_t FirstSize> class owned_slot_places : public slot_places<FirstSize> {
    using base = slot_places<FirstSize>;

public:
    using base::base;

    // Ends the handle. Returns true to one of several callers.
    [[gnu::noinline]] MPIT_MODULE_LOCAL static bool close(owned_slot_header& slot, std::uint64_t word) noexcept {
        if (close_as_owner(slot, word)) return true;
        if (!slot.word.has(word)) return false;
        slot.ownership.share(word);
        const std::uint64_t owner = slot.ownership.owner(word);
        // If the owner has announced that it ends the handle of the slot, it does.
        const bool is_left = owner == 0 || owner == this_slot_owner.number || !is_ending(owner, slot);
        return is_left && slot.word.replace(word, 0);
    }
    // Makes a closed slot available again.
    [[gnu::noinline]] MPIT_MODULE_LOCAL void release(owned_slot_header& slot, std::uint64_t word, kept_slots* kept) noexcept {
        if (kept != nullptr && can_keep(word, *kept)) keep(slot, word, kept->here());
        else base::release(slot, word);
    }
    // Whether this thread still owns the slot of the handle. Another thread that takes the slot over from now on sees the stores before.
    [[gnu::always_inline]] static bool is_owned_here(const owned_slot_header& slot, std::uint64_t word) noexcept {
        core::fence_pair::light(true);
        return this_slot_owner.shard != nullptr && slot.ownership.is_of(word, this_slot_owner.number);
    }

protected:
    [[gnu::noinline]] MPIT_MODULE_LOCAL owned_slot_header* take_place(std::uint64_t& word, kept_slots* kept) noexcept {
        if (this_slot_owner.shard == nullptr) this_slot_owner.begin();
        if (this_slot_owner.shard != nullptr && kept != nullptr)
            if (owned_slot_header* const first = first_kept(kept->here())) return take_first(*first, kept->here(), word);
        std::uint32_t number = 0;
        if (!base::take_number(number)) return nullptr;
        owned_slot_header& slot = slot_at(number);
        word = base::next_word(slot, number);
        slot.ownership.begin(word, this_slot_owner.number);
        return &slot;
    }
    // Calls `end(slot, word)` for every open handle that fits. Those of other threads are taken over before, 64 with one fence.
    [[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL void end_each_place(core::function_ref<bool(owned_slot_header&)> fits,
                                                                       core::function_ref<void(owned_slot_header&, std::uint64_t)> end) noexcept {
        struct {
            owned_slot_header* slot;
            std::uint64_t word;
            bool is_taken;
        } some[64];
        std::size_t count = 0;
        bool needs_fence = false;
        const auto end_some = [&] {
            if (needs_fence) internal::shards.load()->fences.heavy();
            for (std::size_t i = 0; i < count; i++) {
                if (some[i].is_taken) some[i].slot->ownership.share_after_fence(some[i].word);
                end(*some[i].slot, some[i].word);
            }
            count = 0;
            needs_fence = false;
        };
        const std::uint32_t all = base::used_.load();
        for (std::uint32_t number = 0; number < all; number++) {
            owned_slot_header& slot = slot_at(number);
            const std::uint64_t word = slot.word.load();
            if (word <= base::waiting || !fits(slot)) continue;
            const bool is_taken = !is_owned_here(slot, word) && slot.ownership.begin_to_share(word);
            needs_fence = needs_fence || is_taken;
            some[count++] = {&slot, word, is_taken};
            if (count == sizeof some / sizeof some[0]) end_some();
        }
        end_some();
    }

    // The slot that this thread has kept last, or null.
    [[gnu::always_inline]] owned_slot_header* first_kept(const kept_slots::list& kept) const noexcept {
        const auto first = static_cast<std::uint32_t>(kept.load(core::relaxed));
        return first != 0 ? static_cast<owned_slot_header*>(base::first_place(first - 1)) : nullptr;
    }
    [[gnu::always_inline]] owned_slot_header* take_first(owned_slot_header& slot, kept_slots::list& kept, std::uint64_t& word) const noexcept {
        const std::uint64_t seen = kept.load(core::relaxed);
        const auto first = static_cast<std::uint32_t>(seen);
        kept.store(seen - kept_slots::one_more - first + slot.next_free.load(core::relaxed), core::relaxed);
        word = base::next_word(slot, first - 1);
        slot.ownership.begin(word, this_slot_owner.number);
        return &slot;
    }
    [[gnu::always_inline]] static bool can_keep(std::uint64_t word, kept_slots& kept) noexcept {
        return this_slot_owner.shard != nullptr && kept.here().load(core::relaxed) < kept_slots::most * kept_slots::one_more &&
               handle_word::slot(word) < FirstSize && handle_word::generation(word) < handle_word::last_generation;
    }
    [[gnu::always_inline]] static void keep(owned_slot_header& slot, std::uint64_t word, kept_slots::list& kept) noexcept {
        const std::uint64_t seen = kept.load(core::relaxed);
        const auto first = static_cast<std::uint32_t>(seen);
        slot.next_free.store(first, core::relaxed);
        kept.store(seen + kept_slots::one_more - first + (handle_word::slot(word) + 1), core::relaxed);
    }
    // Returns false, and does nothing, if another thread owns the slot or has taken it over.
    [[gnu::always_inline]] static bool close_as_owner(owned_slot_header& slot, std::uint64_t word) noexcept {
        internal::shard* const mine = this_slot_owner.shard;
        const std::uint64_t number = this_slot_owner.number;
        if (mine == nullptr || !slot.word.has(word) || !slot.ownership.is_of(word, number)) [[unlikely]]
            return false;
        mine->ending.store(reinterpret_cast<std::uintptr_t>(&slot)); // another library may have the same word
        core::fence_pair::light(true);
        const bool is_mine = slot.ownership.is_of(word, number);
        if (is_mine) [[likely]]
            slot.word.store(0);
        mine->ending.store(0);
        return is_mine;
    }

private:
    owned_slot_header& slot_at(std::uint32_t number) const noexcept { return *static_cast<owned_slot_header*>(base::place(number)); }
    static bool is_ending(std::uint64_t owner, const owned_slot_header& slot) noexcept {
        for (const internal::shard* each = internal::shards.load()->first.load(); each != nullptr; each = each->next())
            if (each->number + 1 == owner) return each->ending.has(reinterpret_cast<std::uintptr_t>(&slot));
        return false;
    }
};

// `Slot` begins with an owned_slot_header.
template <class Slot, std::uint32_t FirstSize = 64>
class owned_slot_pool : public slot_pool<Slot, FirstSize, owned_slot_places<FirstSize>> {
    using base = slot_pool<Slot, FirstSize, owned_slot_places<FirstSize>>;
    using places = owned_slot_places<FirstSize>;

public:
    using base::base;
    using places::close;

    // A free slot with the word that it will have once it is filled; null without memory.
    Slot* take(std::uint64_t& word, kept_slots* kept) noexcept { return static_cast<Slot*>(places::take_place(word, kept)); }
    template <class Fits, class End> void end_each(Fits fits, End end) noexcept {
        places::end_each_place([&](owned_slot_header& slot) { return fits(static_cast<Slot&>(slot)); },
                               [&](owned_slot_header& slot, std::uint64_t word) { end(static_cast<Slot&>(slot), word); });
    }
    // The slot that this thread has kept last, if `fits(slot)` is true; otherwise null. It is as its last handle has left it.
    template <class Fits> [[gnu::always_inline]] Slot* take_kept(std::uint64_t& word, kept_slots& kept, Fits fits) noexcept {
        if (this_slot_owner.shard == nullptr) return nullptr;
        auto* const slot = static_cast<Slot*>(places::first_kept(kept.here()));
        if (slot == nullptr || !fits(*slot)) return nullptr;
        return static_cast<Slot*>(places::take_first(*slot, kept.here(), word));
    }
    // Ends a handle of this thread, calls `end()` and keeps the slot, in a few instructions. Returns false, and does nothing, in all other
    // cases.
    template <class End> [[gnu::always_inline]] bool end_and_keep(Slot& slot, std::uint64_t word, kept_slots& kept, End end) noexcept {
        if (!places::can_keep(word, kept) || !places::close_as_owner(slot, word)) return false;
        end();
        places::keep(slot, word, kept.here());
        return true;
    }
};

} // namespace session
} // namespace mpit
