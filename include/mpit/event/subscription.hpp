// SPDX-License-Identifier: BSD-3-Clause
// A subscription contains a registration of an event, with callbacks, a count of dropped instances and a queue
// (MPI-5.0, 15.3.8). A delivery waits for no lock and allocates no memory. A callback may call any function, and may
// free the registration for which it runs. Functions that call a callback are not noexcept, because an exception or
// pthread_exit() may leave the callback. A destructor therefore completes each delivery. Subscriptions are never
// deallocated. After a free and the end of all deliveries, another registration of the event can use the subscription.
//
// A callback for a level below MPI_T_CB_REQUIRE_THREAD_SAFE is neither thread-safe nor reentrant. Only one thread at a
// time, the consumer of the registration's queue, runs callbacks that are not thread-safe. Any other thread that raises
// the event adds an instance to the queue for the consumer.
//
//   subscription* receiver = ...;   receiver->offer({event_instance, shown.word(), key, generation});
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/event/callback_slot.hpp>
#include <mpit/event/in_flight.hpp>
#include <mpit/event/instance_queue.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// Functions in the tool's copy of mpit. Each function casts a pointer to a function of the tool to its true type, and
// calls the function of the tool.
struct tool_calls {
    void (*event)(tool_function function, void* user_data, std::uint64_t instance, std::uint64_t registration,
                  safety level);
    void (*dropped)(tool_function function, std::int64_t count, std::uint64_t registration, int source, safety level,
                    void* user_data);
    void (*freed)(subscription& ended, std::uint64_t registration, safety level); // also releases the subscription
    core::spare_words<2> spare{};
};

// Selects the instance that is dropped if a queue is full. `newest` is the instance that is being added to the queue.
enum class drop_policy : std::uint8_t { newest, oldest };

// An instance that is being delivered. `handle` is 0 if the instance could not get a handle.
struct delivered_instance {
    const instance& event_instance;
    std::uint64_t handle;
    object_key key;           // key of the object, or 0 for an unbound event
    std::uint32_t generation; // generation of the object
};

// Different copies of mpit share a subscription. The tool's copy of mpit creates the subscription, and the libraries'
// copies deliver to it. Each delivery reads the first cache line of the subscription, which is rarely written.
struct alignas(64) subscription {
    // `word` is the handle of the registration, or 0. After the registration was freed, `closing` is the handle until
    // no delivery is in flight. `owner` is the handle until another registration can use the subscription.
    atomic<std::uint64_t> word;
    atomic<std::uint64_t> closing;
    atomic<object_key> key;
    atomic<const tool_calls*> calls;
    subscription* next = nullptr;
    event_channel* channel = nullptr;
    atomic<std::int64_t> dropped;     // number of instances since the dropped handler was set or called
    atomic<std::uint32_t> generation; // generation of the object
    atomic<std::uint8_t> levels;      // bit l is a hint that callbacks[l] is set
    atomic<drop_policy> policy;

    in_flight_count in_flight;
    atomic<std::uint64_t> owner;
    tool_function free_function = nullptr;
    void* free_data = nullptr;
    core::spare_words<2> spare;
    atomic<std::uint32_t> incarnation; // incarnation of the event's record at the registration

    alignas(64) callback_slot callbacks[safety_count + 1]; // a callback for each level, and the dropped handler
    instance_queue queue;

    static constexpr unsigned dropped_handler = safety_count;

    // Delivers an instance to the registration. Counts the instance as dropped if `handle` is 0, or if no callback is
    // registered for the instance's safety level or a higher level.
    void offer(const delivered_instance& delivery) {
        const safety level = delivery.event_instance.level;
        visit(delivery.key, delivery.generation, level, [&](std::uint64_t registration) __attribute__((always_inline)) {
            if (delivery.handle == 0) return add_dropped(1);
            std::uint8_t index = 0;
            callback entry = next_callback(registration, level, false, index);
            if (entry.function == nullptr) return add_dropped(1);
            const auto call_callback = [&]() __attribute__((always_inline)) {
                call(entry, index, delivery.handle, registration, level);
            };
            if (is_reentrant(index) && !queue.is_empty()) [[unlikely]] {
                deliver_queued(level);
                entry = next_callback(registration, level, false, index); // this callback may not be reentrant
            }
            // The callbacks of an ordered event source always run in one thread at a time.
            if (is_reentrant(index) || channel->is_ordered) return call_callback();
            const auto deliver_others = [&]() __attribute__((always_inline)) {
                std::uint8_t other = 0; // a separate variable lets `index` stay in a register
                entry = deliver_waiting(registration, level, other);
                index = other;
            };
            if (!queue.deliver_at_once(deliver_others, call_callback)) return deliver_through_queue(delivery);
            if (queue.has_first()) [[unlikely]]
                deliver_queued(level);
        });
    }
    // Adds an instance to the registration's queue for a later delivery.
    void defer(const instance& event_instance, object_key object, std::uint32_t object_generation) noexcept {
        visit(object, object_generation, safety::async_signal_safe,
              [&](std::uint64_t) { add_to_queue(event_instance, object, object_generation); });
    }
    // Adds one dropped instance to the registration's count.
    void count_dropped(object_key object, std::uint32_t object_generation, safety level) noexcept {
        visit(object, object_generation, level, [&](std::uint64_t) { add_dropped(1); });
    }
    // Delivers the instances that wait in the registration's queue.
    void deliver_deferred(safety level) {
        if (queue.is_empty()) return;
        visit(key.load(), generation.load(), level, [&](std::uint64_t) { deliver_queued(level); });
    }
    // Calls the tool's dropped handler if instances were dropped. Returns false if dropped instances stay unreported
    // although the registration has a callback for `level`.
    bool report_dropped(safety level) {
        if (dropped.load() == 0) return true;
        visit(key.load(), generation.load(), level,
              [&](std::uint64_t registration) { notify_dropped(registration, level, channel->is_ordered); });
        return dropped.load() == 0 || callback_for(level).function == nullptr;
    }

    // Returns the callback that receives the instances of a safety level. This is the callback for the lowest level
    // that is not below `level`. If no callback is registered for these levels, the result has a null function pointer.
    callback callback_for(safety level, std::uint8_t* index = nullptr) const noexcept {
        constexpr unsigned all = (1u << safety_count) - 1;
        for (unsigned candidates = levels.load() & (all << static_cast<unsigned>(level)) & all; candidates != 0;
             candidates &= candidates - 1) {
            const auto l = static_cast<unsigned>(__builtin_ctz(candidates));
            const callback entry = callbacks[l].load();
            if (entry.function == nullptr) continue;
            if (index != nullptr) *index = static_cast<std::uint8_t>(l);
            return entry;
        }
        return {};
    }

    // Calls `change_entry(entry)` with a copy of a callback or of the dropped handler, and stores the copy if
    // `change_entry` returns true. Returns MPI_T_ERR_INVALID_HANDLE if the registration was freed. Returns
    // MPI_T_ERR_NOT_ACCESSIBLE if another thread has been changing the same callback for about one second.
    template <class Change> result change(unsigned index, std::uint64_t registration, Change change_entry) noexcept {
        bool was_open = false;
        const bool is_accessible = callbacks[index].change([&](callback& entry) {
            was_open = is_open(registration);
            if (!was_open || !change_entry(entry)) return false;
            const auto bit = static_cast<std::uint8_t>(1u << index);
            std::uint8_t old_bits = levels.load(), new_bits = 0;
            do new_bits = static_cast<std::uint8_t>(entry.function != nullptr ? old_bits | bit : old_bits & ~bit);
            while (!levels.compare_exchange(old_bits, new_bits));
            return true;
        });
        channel->source->reset_reported_levels();
        if (!is_accessible) return result::not_accessible;
        return was_open ? result::success : result::invalid_handle;
    }
    // Starts to count dropped instances from 0. Without a dropped handler, dropped instances are not counted.
    result set_dropped_handler(tool_function handler, std::uint64_t registration) noexcept {
        return change(dropped_handler, registration, [&](callback& entry) {
            entry.function = handler;
            reset_dropped();
            return true;
        });
    }
    void reset_dropped() noexcept {
        if (dropped.exchange(0) != 0) channel->source->unreported.fetch_add(-1u);
    }

    // Completes the free of the registration if `closing` is set and no delivery is in flight.
    [[gnu::cold, gnu::noinline]] void end_if_idle(safety level) {
        const std::uint64_t registration = closing.load(core::seq_cst);
        if (registration == 0) return;
        // If the last two deliveries end at once, they form a Dekker pattern. Each of the two deliveries stores to its
        // own cell of in_flight_count, runs this fence, and then loads the cell of the other delivery in is_empty().
        // Therefore at least one delivery reads the store of the other delivery.
        core::asymmetric_fence::seq_cst();
        if (!in_flight.is_empty()) return;
        const core::read_guard guard; // event_handles::end_all() waits for this guard before an unload
        if (!closing.compare_and_set(registration, 0)) return;
        calls.load()->freed(*this, registration, level);
    }

    // Removes all callbacks before a new registration. Returns false if another thread is changing a callback.
    bool begin() noexcept {
        for (callback_slot& slot : callbacks)
            if (!slot.change([](callback& entry) { return entry = {}, true; }, 1)) return false;
        levels.store(0);
        return true;
    }
    // Makes the subscription available for another registration of the event.
    void release() noexcept {
        reset_dropped();
        queue.is_draining.store(false, core::relaxed);
        queue.force_unlock(); // a thread that has ended in a callback may hold the lock
        if (queue.try_lock()) {
            while (queued_instance* first = queue.front()) queue.pop(*first);
            queue.unlock();
        }
        owner.store(0);
    }
    // Resets the subscription in the child process of a fork. If the free of a registration was waiting for other
    // threads of the parent, completes the free without a call of the tool's free callback.
    void reset_other_threads() noexcept {
        in_flight.reset_other_threads();
        for (callback_slot& slot : callbacks) slot.reset_other_threads();
        queue.reset_other_threads();
        if (closing.load() == 0 || !in_flight.is_empty()) return;
        closing.store(0);
        release();
    }

private:
    // Calls `action(registration)` as a delivery in flight if the registration is valid and bound to the object. The
    // second load of `word` and the load of `closing` each follow a store in in_flight_count. By the Dekker pattern
    // with event_handles::end(), no delivery begins after the free, and the last delivery in flight completes the free.
    template <class Action>
    [[gnu::always_inline]] void visit(object_key object, std::uint32_t object_generation, safety level, Action action) {
        const std::uint64_t registration = word.load();
        if (registration == 0 || key.load() != object || generation.load() != object_generation) return;
        {
            const in_flight_count::scope counted{in_flight};
            if (word.load(core::seq_cst) == registration) [[likely]]
                action(registration);
        }
        if (closing.load(core::seq_cst) != 0) [[unlikely]]
            end_if_idle(level);
    }
    bool is_open(std::uint64_t registration) const noexcept { return word.load() == registration; }

    // Returns true if a callback for the level may run in several threads at once and may be called recursively.
    static constexpr bool is_reentrant(std::uint8_t level) {
        return level >= static_cast<std::uint8_t>(safety::thread_safe);
    }

    // Returns the callback for the next instance. If instances were dropped, calls the tool's dropped handler first.
    [[gnu::always_inline]] callback next_callback(std::uint64_t registration, safety level, bool is_consumer,
                                                  std::uint8_t& index) {
        if (dropped.load() != 0) [[unlikely]]
            notify_dropped(registration, level, is_consumer || channel->is_ordered);
        return callback_for(level, &index);
    }
    [[gnu::always_inline]] void call(const callback& entry, std::uint8_t index, std::uint64_t handle,
                                     std::uint64_t registration, safety level) {
        if (entry.function == nullptr) [[unlikely]]
            return add_dropped(1);
        if (is_open(registration) && callbacks[index].is_due(entry.one_in))
            calls.load()->event(entry.function, entry.user_data, handle, registration, level);
    }
    // Delivers the queued instances in the consumer thread. Returns the callback for the next instance, because the
    // tool may have changed the callback meanwhile.
    [[gnu::noinline]] callback deliver_waiting(std::uint64_t registration, safety level, std::uint8_t& index) {
        queue.consume(receiver{*this, level});
        return next_callback(registration, level, true, index);
    }
    // Adds an instance to the end of the queue, so that each thread's instances are delivered in the order of the
    // raises. Afterwards delivers all queued instances, unless another thread is the consumer.
    [[gnu::noinline]] void deliver_through_queue(const delivered_instance& delivery) {
        // Without this limit, a callback that raises the event for which it runs would be called forever.
        if (queue.is_consumed_here() && queue.nested_additions.fetch_add(1, core::relaxed) + 1 >= core::max_nesting)
            return add_dropped(1);
        add_to_queue(delivery.event_instance, delivery.key, delivery.generation);
        deliver_queued(delivery.event_instance.level);
    }
    void add_to_queue(const instance& event_instance, object_key object, std::uint32_t object_generation) noexcept {
        for (std::uint64_t tries = 0; !queue.push(event_instance, object, object_generation); tries++) {
            const bool must_drop = policy.load() == drop_policy::newest || queue.is_draining.load(core::relaxed);
            if (must_drop || tries == queue.capacity() || !drop_oldest()) return add_dropped(1);
        }
    }
    // Delivers the queued instances. Without a callback for the level or a higher level, the instances stay queued.
    [[gnu::noinline]] void deliver_queued(safety level) { queue.take_all(receiver{*this, level}); }
    // Receives instances from the queue. `level` is the safety level that the thread requires of callbacks.
    struct receiver {
        subscription& to;
        safety level;

        bool may_deliver() const noexcept { return to.callback_for(level).function != nullptr; }
        void deliver(queued_instance& first) const {
            const instance event_instance{first.channel, first.payload(), first.stamp, level};
            const instance_handle_scope shown{event_instance};
            const std::uint64_t registration = to.word.load();
            if (registration == 0) return;
            if (shown.word() == 0) return to.add_dropped(1);
            std::uint8_t index = 0;
            const callback entry = to.next_callback(registration, level, true, index);
            to.call(entry, index, shown.word(), registration, level);
        }
        void drop(const queued_instance&) const noexcept {
            if (to.word.load() != 0) to.add_dropped(1);
        }
    };
    bool drop_oldest() noexcept {
        if (!queue.try_lock()) return false;
        queued_instance* first = queue.front();
        if (first != nullptr) {
            queue.pop(*first);
            add_dropped(1);
        }
        queue.unlock();
        return first != nullptr;
    }
    [[gnu::cold, gnu::noinline]] void add_dropped(std::int64_t count) noexcept {
        if ((levels.load() & 1u << dropped_handler) == 0) return;
        std::int64_t old_count = dropped.load(), new_count = 0;
        do new_count = old_count > INT64_MAX - count ? INT64_MAX : old_count + count;
        while (!dropped.compare_exchange(old_count, new_count));
        if (old_count != 0) return;
        channel->source->unreported.fetch_add(1);
        channel->source->reset_reported_levels();
    }
    // Calls the dropped handler with the user data of the callback for the level. The dropped handler runs at the same
    // time as the callback only if the callback is reentrant. `is_exclusive` is true if this thread may also run
    // callbacks that are not reentrant.
    [[gnu::cold, gnu::noinline]] void notify_dropped(std::uint64_t registration, safety level, bool is_exclusive) {
        std::uint8_t index = 0;
        const callback entry = callback_for(level, &index);
        const tool_function handler = callbacks[dropped_handler].load().function;
        if (handler == nullptr) return reset_dropped(); // the handler was removed during add_dropped()
        if (entry.function == nullptr || !is_open(registration)) return;
        if (!is_reentrant(index) && !is_exclusive) {
            if (!queue.try_lock()) return; // the consumer calls the handler before the next instance
            {
                const instance_queue::unlock_guard guard{queue};
                notify_dropped(registration, level, true);
            }
            return deliver_queued(level);
        }
        const std::int64_t count = dropped.exchange(0);
        if (count == 0) return;
        channel->source->unreported.fetch_add(-1u);
        calls.load()->dropped(handler, count, registration, channel->source->index(), level, entry.user_data);
    }
};

} // namespace internal
} // namespace mpit
