// SPDX-License-Identifier: BSD-3-Clause
// Instances of events. One exists during its callbacks, on the stack of the delivering thread. The handle that a
// callback receives names a place of that thread and is invalid once the callback has returned.
//
//   shown_instance here{what};   const std::uint64_t handle = here.word();   instance_view seen; seen.find(handle);
#pragma once

#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/event/channel.hpp>

#include <signal.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

struct instance {
    const event_channel* channel;
    const void* payload;
    std::int64_t stamp; // ticks of the source
    safety level;       // that the context of the delivery demands
};

// The value of a handle: a tag, the generation of the place, the shard and the place.
struct instance_word {
    static constexpr std::uint64_t tag = descriptor::handle_tag::event_instance;
    static constexpr int generation_shift = 32, shard_shift = 10;
    static constexpr std::uint32_t place_mask = (1u << shard_shift) - 1, generation_mask = (1u << 24) - 1;
    static_assert(core::deepest_nesting <= place_mask + 1);

    static constexpr std::uint64_t make(std::uint32_t generation, std::uint32_t shard, std::uint32_t place) {
        return tag << 56 | std::uint64_t{generation & generation_mask} << generation_shift |
               static_cast<std::uint32_t>(shard << shard_shift) | place;
    }
    static constexpr std::uint32_t place(std::uint64_t word) { return static_cast<std::uint32_t>(word) & place_mask; }
    static constexpr std::uint32_t shard(std::uint64_t word) { return static_cast<std::uint32_t>(word) >> shard_shift; }
};

// Where a delivery stands on the stack of its thread, and the level that its context demands, in a word: stacks are
// taken to span less than two gigabytes.
struct delivery_depth {
    static std::uint32_t make(const void* frame, safety level) noexcept {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(frame) >> 4) << 4 |
               static_cast<std::uint32_t>(level);
    }
    static constexpr safety level(std::uint32_t depth) noexcept { return static_cast<safety>(depth & 15); }
    // Whether the other one is not further out, so that both cannot continue.
    static constexpr bool is_over(std::uint32_t other, std::uint32_t present) noexcept {
        return ((present >> 4 << 4) - (other >> 4 << 4)) >> 31 == 0;
    }
};

// Shows an instance for the length of a scope. A signal handler that interrupts uses the next place.
class shown_instance {
public:
    explicit shown_instance(const instance& what) noexcept : shard_{core::own_shard_of_thread()} {
        if (shard_ == nullptr) return;
        const std::uint32_t depth = delivery_depth::make(__builtin_frame_address(0), what.level);
        if (shard_->nesting.load(core::relaxed) >= core::deepest_nesting) [[unlikely]]
            forget_left(depth);
        const std::uint64_t index = shard_->nesting.load(core::relaxed);
        shard_->nesting.add_as_owner(1);
        // A signal handler that interrupts the code from here on uses the next place.
        __asm__ __volatile__("" ::: "memory");
        if (index >= core::deepest_nesting) return;
        place_ = &shard_->instances[index];
        const std::uint32_t generation = place_->generation.load(core::relaxed) + 1;
        place_->generation.store(generation, core::relaxed);
        place_->shown.store(&what);
        place_->depth.store(depth, core::relaxed);
        word_ = instance_word::make(generation, shard_->number, static_cast<std::uint32_t>(index));
        place_->word.store(word_);
    }
    shown_instance(const shown_instance&) = delete;
    shown_instance& operator=(const shown_instance&) = delete;
    ~shown_instance() {
        if (place_ != nullptr) place_->word.store(0);
        if (shard_ != nullptr) shard_->nesting.add_as_owner(static_cast<std::uint64_t>(-1));
    }
    // 0 where this thread shows too many already, or has no memory for places.
    std::uint64_t word() const noexcept { return word_; }

private:
    // Callbacks that were left by longjmp() never end their deliveries. Those that are not further out than this one
    // are over. On the stack of a signal handler the places do not compare, and nothing is forgotten.
    [[gnu::cold, gnu::noinline]] void forget_left(std::uint32_t depth) noexcept {
        stack_t own{};
        if (sigaltstack(nullptr, &own) != 0 || (own.ss_flags & SS_ONSTACK) != 0) return;
        std::uint32_t left = core::deepest_nesting;
        while (left != 0 && delivery_depth::is_over(shard_->instances[left - 1].depth.load(core::relaxed), depth))
            shard_->instances[--left].word.store(0);
        if (left != core::deepest_nesting) shard_->nesting.store(left);
    }

    core::shard* shard_;
    core::instance_place* place_ = nullptr;
    std::uint64_t word_ = 0;
};

// The safety level that the context of this thread demands of callbacks: that of the innermost delivery that it is in.
inline safety level_of_thread() noexcept {
    const core::shard* own_shard = core::present_shard();
    const std::uint64_t shown = own_shard == nullptr ? 0 : own_shard->nesting.load(core::relaxed);
    if (shown == 0) return safety::none;
    const std::uint64_t innermost = (shown < core::deepest_nesting ? shown : core::deepest_nesting) - 1;
    const core::instance_place& place = own_shard->instances[innermost];
    // A signal handler has run while the instance was not quite shown yet, or not any more.
    if (place.word.load() == 0) return safety::async_signal_safe;
    return delivery_depth::level(place.depth.load(core::relaxed));
}

// The instance of a handle, while the instance is being shown.
class instance_view {
public:
    bool find(std::uint64_t word) noexcept {
        if (word >> 56 != instance_word::tag || instance_word::place(word) >= core::deepest_nesting) return false;
        const core::shard* thread_shard = shard_numbered(instance_word::shard(word));
        if (thread_shard == nullptr || has_ended(*thread_shard)) return false;
        place_ = &thread_shard->instances[instance_word::place(word)];
        word_ = word;
        if (place_->word.load() != word) return false;
        seen_ = place_->shown.load();
        return true;
    }
    const instance& operator*() const noexcept { return *seen_; }
    const instance* operator->() const noexcept { return seen_; }
    // Whether it still is there: what was read before this holds.
    bool is_shown() const noexcept { return place_->word.load() == word_; }

private:
    // A thread that has ended inside its callback has left the instance on a stack that is gone. Costs system calls in
    // other threads.
    static bool has_ended(const core::shard& of_thread) noexcept {
        return &of_thread != core::present_shard() &&
               core::detail::has_ended(of_thread.thread(), core::detail::this_thread_identity());
    }
    static const core::shard* shard_numbered(std::uint32_t number) noexcept {
        const core::shard* own = core::present_shard();
        if (own != nullptr && own->number == number) [[likely]]
            return own;
        const core::shard_set* set = core::shards.load();
        const core::shard* each = set == nullptr ? nullptr : set->first.load();
        while (each != nullptr && each->number != number) each = each->next();
        return each;
    }

    const core::instance_place* place_ = nullptr;
    const instance* seen_ = nullptr;
    std::uint64_t word_ = 0;
};

// What is read of an instance by its handle, by any thread and any signal handler: MPI_T_ERR_INVALID_HANDLE unless its
// callback is still running. MPI_T_ERR_INVALID_INDEX for an element that it does not have.
template <class Look> [[gnu::always_inline]] inline result look_at_instance(std::uint64_t word, Look look) noexcept {
    instance_view seen;
    if (!seen.find(word)) return result::invalid_handle;
    const result status = look(*seen);
    return seen.is_shown() ? status : result::invalid_handle;
}
[[gnu::always_inline]] inline result read_element(std::uint64_t word, int index, void* buffer) noexcept {
    return look_at_instance(word, [&](const instance& seen) {
        if (index < 0 || static_cast<std::uint32_t>(index) >= seen.channel->element_count) return result::invalid_index;
        const payload_element& element = seen.channel->elements[index];
        std::memcpy(buffer, static_cast<const char*>(seen.payload) + element.displacement, core::size_of(element.type));
        return result::success;
    });
}
[[gnu::always_inline]] inline result copy_payload(std::uint64_t word, void* buffer) noexcept {
    return look_at_instance(word, [&](const instance& seen) {
        return std::memcpy(buffer, seen.payload, seen.channel->size), result::success;
    });
}
template <class Ticks> [[gnu::always_inline]] inline result time_of(std::uint64_t word, Ticks& ticks) noexcept {
    return look_at_instance(word, [&](const instance& seen) { return ticks = seen.stamp, result::success; });
}
[[gnu::always_inline]] inline result source_of(std::uint64_t word, int& number) noexcept {
    return look_at_instance(
        word, [&](const instance& seen) { return number = seen.channel->source->number(), result::success; });
}

} // namespace internal
} // namespace mpit
