// SPDX-License-Identifier: BSD-3-Clause
// Subscriptions: the registrations of one event, each with its callbacks, its count of dropped instances and its queue.
// A delivery takes no lock, allocates nothing and holds nothing during a callback, so that a callback may do
// everything, also end its own registration. What calls a callback is not noexcept: a callback may be left by an
// exception, or its thread may end in it, and destructors end the delivery. A subscription is never freed: its event
// uses it again when no delivery is in flight (MPI-5.0, 15.3.8).
//
// A callback for a level below MPI_T_CB_REQUIRE_THREAD_SAFE is neither thread-safe nor re-entrant. Of one registration
// one of these runs at a time, under the right to take out of the queue; an instance that finds it running waits in the
// queue, and the thread that runs it delivers that instance afterwards.
//
//   subscription* l = …;   l->offer({what, shown.word(), key, generation});
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/event/callback_slot.hpp>
#include <mpit/event/in_flight.hpp>
#include <mpit/event/instance_queue.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// How the shims that made a registration call the functions of its tool.
struct tool_calls {
    void (*event)(tool_function function, void* user_data, std::uint64_t instance, std::uint64_t registration,
                  safety level);
    void (*dropped)(tool_function function, std::int64_t count, std::uint64_t registration, int source, safety level,
                    void* user_data);
    void (*freed)(subscription& ended, std::uint64_t registration, safety level); // gives the listener back, too
    core::spare_words<2> spare{};
};

// Which of two instances is lost where a queue has no room.
enum class drop_policy : std::uint8_t { newest, oldest };

// An instance that is being delivered, its handle, and the object of a bound event. The handle is 0 if it cannot be
// shown.
struct delivered_instance {
    const instance& what;
    std::uint64_t handle;
    object_key key;
    std::uint32_t generation; // of the object
};

// Shared, because the copy of the tool makes it, those of the libraries that raise deliver to it, and the last of them
// to leave ends it. Each delivery reads the first line, which is written when the registration changes.
struct alignas(64) subscription {
    // A registration is open from the moment when it has a word until it is ended; `closing` is its word from
    // then on until no delivery is in flight. The owner is the registration in both states.
    atomic<std::uint64_t> word;
    atomic<std::uint64_t> closing;
    atomic<object_key> key;
    atomic<const tool_calls*> calls;
    subscription* next = nullptr;
    event_channel* channel = nullptr;
    atomic<std::int64_t> dropped;     // since the handler was set or called
    atomic<std::uint32_t> generation; // of the object
    atomic<std::uint8_t> levels;      // bit l: callbacks[l] is there, or was a moment ago
    atomic<drop_policy> policy;

    in_flight_count in_flight;
    atomic<std::uint64_t> owner;
    tool_function free_function = nullptr;
    void* free_data = nullptr;
    core::spare_words<2> spare;
    atomic<std::uint32_t> incarnation; // of the event's library

    alignas(64) callback_slot callbacks[safety_count + 1]; // one for each level, and the handler of losses
    instance_queue queue;

    static constexpr unsigned dropped_handler = safety_count;

    // Delivers the instance, or counts it as lost if it has no handle or no callback serves its level.
    void offer(const delivered_instance& now) {
        const safety level = now.what.level;
        visit(now.key, now.generation, level, [&](std::uint64_t registration) __attribute__((always_inline)) {
            if (now.handle == 0) return lose(1);
            std::uint8_t index = 0;
            callback entry = next_callback(registration, level, false, index);
            if (entry.function == nullptr) return lose(1);
            const auto call_it = [&]() __attribute__((always_inline)) {
                call(entry, index, now.handle, registration, level);
            };
            if (is_reentrant(index) && !queue.is_empty()) [[unlikely]] {
                deliver_queued(level);
                entry = next_callback(registration, level, false, index); // which may be one that runs alone
            }
            // One thread at a time delivers the events of an ordered source.
            if (is_reentrant(index) || channel->is_ordered) return call_it();
            const auto take_others = [&]() __attribute__((always_inline)) {
                std::uint8_t other = 0; // `index` remains in a register
                entry = take_waiting(registration, level, other);
                index = other;
            };
            if (!queue.deliver_at_once(take_others, call_it)) return hand_over(now);
            if (queue.has_first()) [[unlikely]]
                deliver_queued(level);
        });
    }
    // Keeps an instance for later.
    void keep(const instance& what, object_key of_object, std::uint32_t of_generation) noexcept {
        visit(of_object, of_generation, safety::async_signal_safe,
              [&](std::uint64_t) { put_in_queue(what, of_object, of_generation); });
    }
    void lose(object_key of_object, std::uint32_t of_generation, safety level) noexcept {
        visit(of_object, of_generation, level, [&](std::uint64_t) { lose(1); });
    }
    // Delivers what is in the queue.
    void flush(safety level) {
        if (queue.is_empty()) return;
        visit(key.load(), generation.load(), level, [&](std::uint64_t) { deliver_queued(level); });
    }
    // Tells the handler of what was lost. Returns false if a callback serves the level and losses are still unreported.
    bool tell(safety level) {
        if (dropped.load() == 0) return true;
        visit(key.load(), generation.load(), level,
              [&](std::uint64_t registration) { notify_dropped(registration, level, channel->is_ordered); });
        return dropped.load() == 0 || serving(level).function == nullptr;
    }

    // The callback that serves an invocation at a level: that of the lowest level which demands as much.
    callback serving(safety level, std::uint8_t* index = nullptr) const noexcept {
        constexpr unsigned all = (1u << safety_count) - 1;
        for (unsigned left = levels.load() & (all << static_cast<unsigned>(level)) & all; left != 0; left &= left - 1) {
            const auto l = static_cast<unsigned>(__builtin_ctz(left));
            const callback found = callbacks[l].load();
            if (found.function == nullptr) continue;
            if (index != nullptr) *index = static_cast<std::uint8_t>(l);
            return found;
        }
        return {};
    }

    // Changes a callback, or the handler of losses, to what `change` makes of it, unless that answers false.
    // MPI_T_ERR_INVALID_HANDLE if the registration is not open any more, MPI_T_ERR_NOT_ACCESSIBLE if another thread is
    // changing the same one and does not get on.
    template <class Change> result change(unsigned place, std::uint64_t registration, Change change_one) noexcept {
        bool is_open_still = false;
        const bool reached = callbacks[place].change([&](callback& entry) {
            is_open_still = is_open(registration);
            if (!is_open_still || !change_one(entry)) return false;
            const auto bit = static_cast<std::uint8_t>(1u << place);
            std::uint8_t old_bits = levels.load(), new_bits = 0;
            do new_bits = static_cast<std::uint8_t>(entry.function != nullptr ? old_bits | bit : old_bits & ~bit);
            while (!levels.compare_exchange(old_bits, new_bits));
            return true;
        });
        channel->source->reset_reported_levels();
        if (!reached) return result::not_accessible;
        return is_open_still ? result::success : result::invalid_handle;
    }
    // With a handler, losses count from now on; without one they do not count.
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

    // Ends the registration when no delivery is in flight: now, or when the last one leaves.
    [[gnu::cold, gnu::noinline]] void end_if_left(safety level) {
        const std::uint64_t registration = closing.load(core::sequential);
        if (registration == 0) return;
        core::fence_pair::whole(); // of two that leave at once, one must see that the other one has left
        if (!in_flight.is_empty()) return;
        const core::read_guard guard; // at what belongs to the tool, which is not unloaded meanwhile
        if (!closing.replace(registration, 0)) return;
        calls.load()->freed(*this, registration, level);
    }

    // For the owner of a new registration. Returns false if a thread is still changing what belonged to the last one.
    bool begin() noexcept {
        for (callback_slot& each : callbacks)
            if (!each.change([](callback& entry) { return entry = {}, true; }, 1)) return false;
        levels.store(0);
        return true;
    }
    // Makes the listener of an ended registration available again.
    void release() noexcept {
        reset_dropped();
        queue.is_draining.store(false, core::relaxed);
        queue.close_for_all(); // a thread that has ended in a callback may have left it open
        if (queue.open()) {
            while (queued_instance* first = queue.front()) queue.pop(*first);
            queue.close();
        }
        owner.store(0);
    }
    // After a fork. A registration whose end waited for threads of the other process ends there and not here.
    void forget_other_threads() noexcept {
        in_flight.forget_other_threads();
        for (callback_slot& each : callbacks) each.forget_other_threads();
        queue.forget_other_threads();
        if (closing.load() == 0 || !in_flight.is_empty()) return;
        closing.store(0);
        release();
    }

private:
    // Calls `act` inside, if the registration is open and its object is the one.
    template <class Act>
    [[gnu::always_inline]] void visit(object_key of_object, std::uint32_t of_generation, safety level, Act act) {
        const std::uint64_t registration = word.load();
        if (registration == 0 || key.load() != of_object || generation.load() != of_generation) return;
        {
            const in_flight_count::visit here{in_flight};
            if (word.load(core::sequential) == registration) [[likely]]
                act(registration);
        }
        if (closing.load(core::sequential) != 0) [[unlikely]]
            end_if_left(level);
    }
    bool is_open(std::uint64_t registration) const noexcept { return word.load() == registration; }

    // Whether a callback of a level may run in two threads at once, and inside itself.
    static constexpr bool is_reentrant(std::uint8_t level) {
        return level >= static_cast<std::uint8_t>(safety::thread_safe);
    }

    // The callback for the next instance, after the losses before it were reported. `is_open_here` says that this
    // thread has opened the queue.
    [[gnu::always_inline]] callback next_callback(std::uint64_t registration, safety level, bool is_open_here,
                                                  std::uint8_t& index) {
        if (dropped.load() != 0) [[unlikely]]
            notify_dropped(registration, level, is_open_here || channel->is_ordered);
        return serving(level, &index);
    }
    [[gnu::always_inline]] void call(const callback& entry, std::uint8_t index, std::uint64_t shown,
                                     std::uint64_t registration, safety level) {
        if (entry.function == nullptr) [[unlikely]]
            return lose(1);
        if (is_open(registration) && callbacks[index].is_due(entry.one_in))
            calls.load()->event(entry.function, entry.user_data, shown, registration, level);
    }
    // Delivers what waits, for the thread that has opened the queue. The callback may be another one afterwards.
    [[gnu::noinline]] callback take_waiting(std::uint64_t registration, safety level, std::uint8_t& index) {
        queue.take_waiting(receiver{*this, level});
        return next_callback(registration, level, true, index);
    }
    // Hands the instance over to the thread that runs the callback. Instances that wait already are delivered first, so
    // that those of each thread keep their order.
    [[gnu::noinline]] void hand_over(const delivered_instance& now) {
        // A callback that raises its own event each time must come to an end.
        if (queue.is_open_here() && queue.added_inside.fetch_add(1, core::relaxed) + 1 >= core::deepest_nesting)
            return lose(1);
        put_in_queue(now.what, now.key, now.generation);
        deliver_queued(now.what.level);
    }
    void put_in_queue(const instance& what, object_key of_object, std::uint32_t of_generation) noexcept {
        for (std::uint64_t tries = 0; !queue.push(what, of_object, of_generation); tries++) {
            const bool must_drop = policy.load() == drop_policy::newest || queue.is_draining.load(core::relaxed);
            if (must_drop || tries == queue.capacity() || !discard_oldest()) return lose(1);
        }
    }
    // If no callback may be called at the level, the instances stay.
    [[gnu::noinline]] void deliver_queued(safety level) { queue.take_all(receiver{*this, level}); }
    // Delivers the instances in the queue.
    struct receiver {
        subscription& to;
        safety level;

        bool may_deliver() const noexcept { return to.serving(level).function != nullptr; }
        void deliver(queued_instance& first) const {
            const instance what{first.channel, first.payload(), first.stamp, level};
            const shown_instance shown{what};
            const std::uint64_t registration = to.word.load();
            if (registration == 0) return;
            if (shown.word() == 0) return to.lose(1);
            std::uint8_t index = 0;
            const callback entry = to.next_callback(registration, level, true, index);
            to.call(entry, index, shown.word(), registration, level);
        }
        void drop(const queued_instance&) const noexcept {
            if (to.word.load() != 0) to.lose(1);
        }
    };
    bool discard_oldest() noexcept {
        if (!queue.open()) return false;
        queued_instance* first = queue.front();
        if (first != nullptr) {
            queue.pop(*first);
            lose(1);
        }
        queue.close();
        return first != nullptr;
    }
    [[gnu::cold, gnu::noinline]] void lose(std::int64_t count) noexcept {
        if ((levels.load() & 1u << dropped_handler) == 0) return;
        std::int64_t old_count = dropped.load(), new_count = 0;
        do new_count = old_count > INT64_MAX - count ? INT64_MAX : old_count + count;
        while (!dropped.compare_exchange(old_count, new_count));
        if (old_count != 0) return;
        channel->source->unreported.fetch_add(1);
        channel->source->reset_reported_levels();
    }
    // The handler is given the data of a callback, so that it runs beside that one only where the callback would.
    [[gnu::cold, gnu::noinline]] void notify_dropped(std::uint64_t registration, safety level, bool is_alone) {
        std::uint8_t index = 0;
        const callback entry = serving(level, &index);
        const tool_function handler = callbacks[dropped_handler].load().function;
        if (handler == nullptr) return reset_dropped(); // it was removed while this one was being counted
        if (entry.function == nullptr || !is_open(registration)) return;
        if (!is_reentrant(index) && !is_alone) {
            if (!queue.open()) return; // the thread that has opened it notifies before the next instance
            {
                const instance_queue::turn closes{queue};
                notify_dropped(registration, level, true);
            }
            return deliver_queued(level);
        }
        const std::int64_t lost = dropped.exchange(0);
        if (lost == 0) return;
        channel->source->unreported.fetch_add(-1u);
        calls.load()->dropped(handler, lost, registration, channel->source->number(), level, entry.user_data);
    }
};

} // namespace internal
} // namespace mpit
