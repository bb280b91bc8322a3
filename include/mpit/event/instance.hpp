// SPDX-License-Identifier: BSD-3-Clause
// An instance is one occurrence of an event. The instance is on the stack of the delivering thread until all callbacks
// have returned. A callback receives an instance handle, which refers to a slot (core::instance_slot) in the thread
// shard of the delivering thread. The handle becomes invalid when the callbacks have returned.
//
//   instance_handle_scope shown{event_instance};   const auto handle = shown.word();
//   instance_view view;   view.find(handle);
#pragma once

#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/event/channel.hpp>

#include <signal.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

struct instance {
    const event_channel* channel;
    const void* payload;
    std::int64_t stamp; // time in ticks of the source
    safety level;       // safety level that the context of the delivery requires of callbacks
};

// An instance handle consists of a tag, the slot's generation, the number of the thread shard and the slot's index.
struct handle_bits {
    static constexpr std::uint64_t tag = descriptor::handle_tag::event_instance;
    static constexpr int generation_shift = 32, shard_shift = 10;
    static constexpr std::uint32_t slot_mask = (1u << shard_shift) - 1, generation_mask = (1u << 24) - 1;
    static_assert(core::max_nesting <= slot_mask + 1);

    static constexpr std::uint64_t make(std::uint32_t generation, std::uint32_t shard, std::uint32_t slot) {
        return tag << 56 | std::uint64_t{generation & generation_mask} << generation_shift |
               static_cast<std::uint32_t>(shard << shard_shift) | slot;
    }
    static constexpr std::uint32_t slot(std::uint64_t bits) { return static_cast<std::uint32_t>(bits) & slot_mask; }
    static constexpr std::uint32_t shard(std::uint64_t bits) { return static_cast<std::uint32_t>(bits) >> shard_shift; }
};

// Packs the address of a delivery's stack frame and the safety level of the delivery into one word. Only the low 32
// bits of the address are stored, so that stacks must be smaller than two gigabytes.
struct delivery_depth {
    static std::uint32_t make(const void* frame, safety level) noexcept {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(frame) >> 4) << 4 |
               static_cast<std::uint32_t>(level);
    }
    static constexpr safety level(std::uint32_t depth) noexcept { return static_cast<safety>(depth & 15); }
    // Returns true if the stack frame `earlier` is not at a higher address than the stack frame `present`. Stacks grow
    // downwards, so that true means that the delivery with the frame `earlier` is over.
    static constexpr bool is_over(std::uint32_t earlier, std::uint32_t present) noexcept {
        return ((present >> 4 << 4) - (earlier >> 4 << 4)) >> 31 == 0;
    }
};

// Gives an event instance a handle until the end of a scope. A delivery that is nested in the scope uses the next slot.
class instance_handle_scope {
public:
    explicit instance_handle_scope(const instance& event_instance) noexcept : shard_{core::shard_of_this_thread()} {
        if (shard_ == nullptr) return;
        const std::uint32_t depth = delivery_depth::make(__builtin_frame_address(0), event_instance.level);
        if (shard_->nesting.load(core::relaxed) >= core::max_nesting) [[unlikely]]
            discard_abandoned(depth);
        const std::uint64_t index = shard_->nesting.load(core::relaxed);
        shard_->nesting.add_as_owner(1);
        // A signal handler that interrupts the thread after this barrier uses the next slot for its own deliveries.
        __asm__ __volatile__("" ::: "memory");
        if (index >= core::max_nesting) return;
        slot_ = &shard_->instances[index];
        const std::uint32_t generation = slot_->generation.load(core::relaxed) + 1;
        slot_->generation.store(generation, core::relaxed);
        slot_->shown.store(&event_instance);
        slot_->depth.store(depth, core::relaxed);
        handle_ = handle_bits::make(generation, shard_->number, static_cast<std::uint32_t>(index));
        slot_->word.store(handle_);
    }
    instance_handle_scope(const instance_handle_scope&) = delete;
    instance_handle_scope& operator=(const instance_handle_scope&) = delete;
    ~instance_handle_scope() {
        if (slot_ != nullptr) slot_->word.store(0);
        // This fence orders the store of 0 to the slot's word before later stores to the payload's memory, and pairs
        // with the fence in is_shown(). A reader that has copied reused memory therefore reads 0 in is_shown().
        core::payload_fence(core::release);
        if (shard_ != nullptr) shard_->nesting.add_as_owner(static_cast<std::uint64_t>(-1));
    }
    // Returns the instance handle. Returns 0 if deliveries are nested too deeply, or if memory for slots is exhausted.
    std::uint64_t word() const noexcept { return handle_; }

private:
    // Frees the slots of deliveries whose callbacks were left by longjmp(), which runs no destructor. Does nothing if
    // this thread runs on an alternate signal stack, because addresses on different stacks cannot be compared.
    [[gnu::cold, gnu::noinline]] void discard_abandoned(std::uint32_t depth) noexcept {
        stack_t signal_stack{};
        if (sigaltstack(nullptr, &signal_stack) != 0 || (signal_stack.ss_flags & SS_ONSTACK) != 0) return;
        std::uint32_t count = core::max_nesting;
        while (count != 0 && delivery_depth::is_over(shard_->instances[count - 1].depth.load(core::relaxed), depth))
            shard_->instances[--count].word.store(0);
        if (count != core::max_nesting) shard_->nesting.store(count);
    }

    core::shard* shard_;
    core::instance_slot* slot_ = nullptr;
    std::uint64_t handle_ = 0;
};

// Returns the safety level that this thread's innermost delivery requires of callbacks, or safety::none.
inline safety level_of_thread() noexcept {
    const core::shard* cached_shard = core::existing_shard_of_this_thread();
    const std::uint64_t nesting = cached_shard == nullptr ? 0 : cached_shard->nesting.load(core::relaxed);
    if (nesting == 0) return safety::none;
    const std::uint64_t innermost = (nesting < core::max_nesting ? nesting : core::max_nesting) - 1;
    const core::instance_slot& slot = cached_shard->instances[innermost];
    // If the slot's word is 0, the caller is a signal handler that has interrupted the constructor or the destructor of
    // instance_handle_scope.
    if (slot.word.load() == 0) return safety::async_signal_safe;
    return delivery_depth::level(slot.depth.load(core::relaxed));
}

// Reads the instance to which a handle refers, like a reader of a sequence lock. The loaded values are valid if
// is_shown() returns true afterwards. The acquire load in find() pairs with the release store of the handle.
class instance_view {
public:
    // Returns false if no instance that is being delivered has the handle.
    bool find(std::uint64_t handle) noexcept {
        if (handle >> 56 != handle_bits::tag || handle_bits::slot(handle) >= core::max_nesting) return false;
        const core::shard* thread_shard = find_shard(handle_bits::shard(handle));
        if (thread_shard == nullptr || has_ended(*thread_shard)) return false;
        slot_ = &thread_shard->instances[handle_bits::slot(handle)];
        handle_ = handle;
        if (slot_->word.load() != handle) return false;
        instance_ = slot_->shown.load();
        return true;
    }
    const instance& operator*() const noexcept { return *instance_; }
    const instance* operator->() const noexcept { return instance_; }
    // Returns true if the callback has not returned, so that all values that were loaded before this call are valid.
    bool is_shown() const noexcept {
        // This fence orders the copy of the payload before the load of the slot's word, and pairs with the fence in the
        // destructor of instance_handle_scope.
        core::payload_fence(core::acquire);
        return slot_->word.load() == handle_;
    }

private:
    // Returns true if the delivering thread has ended inside a callback. Other threads check this by system calls.
    static bool has_ended(const core::shard& thread_shard) noexcept {
        return &thread_shard != core::existing_shard_of_this_thread() &&
               core::detail::has_ended(thread_shard.thread(), core::detail::this_thread_identity());
    }
    static const core::shard* find_shard(std::uint32_t number) noexcept {
        const core::shard* own = core::existing_shard_of_this_thread();
        if (own != nullptr && own->number == number) [[likely]]
            return own;
        const core::shard_set* set = core::shards.load();
        const core::shard* shard = set == nullptr ? nullptr : set->first.load();
        while (shard != nullptr && shard->number != number) shard = shard->next();
        return shard;
    }

    const core::instance_slot* slot_ = nullptr;
    const instance* instance_ = nullptr;
    std::uint64_t handle_ = 0;
};

// read_instance() calls `read(instance)` with the instance to which a handle refers. Any thread and any signal handler
// may call this function and the functions below. All these functions return MPI_T_ERR_INVALID_HANDLE if the callback
// has returned meanwhile. read_element() returns MPI_T_ERR_INVALID_INDEX if the payload has no such element.
template <class Read> [[gnu::always_inline]] inline result read_instance(std::uint64_t handle, Read read) noexcept {
    instance_view view;
    if (!view.find(handle)) return result::invalid_handle;
    const result status = read(*view);
    return view.is_shown() ? status : result::invalid_handle;
}
[[gnu::always_inline]] inline result read_element(std::uint64_t handle, int index, void* buffer) noexcept {
    return read_instance(handle, [&](const instance& shown) {
        if (index < 0 || static_cast<std::uint32_t>(index) >= shown.channel->element_count)
            return result::invalid_index;
        const payload_element& element = shown.channel->elements[index];
        std::memcpy(buffer, static_cast<const char*>(shown.payload) + element.displacement,
                    core::size_of(element.type));
        return result::success;
    });
}
[[gnu::always_inline]] inline result copy_payload(std::uint64_t handle, void* buffer) noexcept {
    return read_instance(handle, [&](const instance& shown) {
        return std::memcpy(buffer, shown.payload, shown.channel->size), result::success;
    });
}
template <class Ticks> [[gnu::always_inline]] inline result time_of(std::uint64_t handle, Ticks& ticks) noexcept {
    return read_instance(handle, [&](const instance& shown) { return ticks = shown.stamp, result::success; });
}
[[gnu::always_inline]] inline result source_of(std::uint64_t handle, int& index) noexcept {
    return read_instance(
        handle, [&](const instance& shown) { return index = shown.channel->source->index(), result::success; });
}

} // namespace internal
} // namespace mpit
