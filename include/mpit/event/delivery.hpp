// SPDX-License-Identifier: BSD-3-Clause
// Delivery of an instance to the subscriptions of its event, and of the instances that wait. No code of this runs while
// no tool has subscribed.
//
//   internal::deliver(what, object);   internal::deliver_kept(subscription, level);
#pragma once

#include <mpit/event/subscription.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The object of a bound event, and which of the objects with this handle; nothing of others.
struct object_of_event {
    object_key key = 0;
    std::uint32_t generation = 0;
};

inline object_of_event object_of(descriptor::event& e, object_key key) noexcept {
    object_of_event object{key, 0};
    if (e.operations->key != nullptr) e.operations->locate(e, key, object.generation);
    return object;
}

inline std::int64_t wrapped_ticks(std::int64_t ticks, std::int64_t most) noexcept {
    if (ticks >= 0 && ticks <= most) [[likely]]
        return ticks;
    const std::uint64_t positive = static_cast<std::uint64_t>(ticks) & INT64_MAX;
    return static_cast<std::int64_t>(most == INT64_MAX ? positive : positive % (static_cast<std::uint64_t>(most) + 1));
}

// The steady clock in the ticks of a source that has no clock of its own.
inline std::int64_t steady_ticks(std::uint64_t per_second) noexcept {
    constexpr std::uint64_t second = 1'000'000'000;
    const std::uint64_t now = core::nanoseconds();
    return static_cast<std::int64_t>(now / second * per_second + now % second * per_second / second);
}

inline std::int64_t ticks_now(const descriptor::event& e) noexcept {
    switch (e.clock.load(core::relaxed)) {
    case descriptor::clock_kind::cycles: return static_cast<std::int64_t>(core::cycles() & INT64_MAX);
    case descriptor::clock_kind::steady: return static_cast<std::int64_t>(core::nanoseconds());
    default:
        if (e.event_source->clock != nullptr) return e.event_source->clock();
        return steady_ticks(static_cast<std::uint64_t>(e.event_source->ticks_per_second));
    }
}

// Tells every handler of a source's losses: they come before its next event. Losses without a callback
// for the level are looked for once.
[[gnu::cold]] inline void notify_dropped(source_channel& source, safety level) {
    std::uint64_t reported_levels = source.reported_levels.load();
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(level);
    if ((reported_levels & bit) != 0) return;
    bool is_left = false;
    for (event_channel* c = source.first.load(); c != nullptr; c = c->next_of_source.load())
        for (subscription* l = c->first.load(); l != nullptr; l = l->next) is_left |= !l->tell(level);
    // The exchange fails after a change, or after that of another level: the next raise looks again.
    if (!is_left) static_cast<void>(source.reported_levels.compare_exchange(reported_levels, reported_levels | bit));
}

inline void deliver(const instance& what, object_of_event object) {
    const shown_instance here{what};
    if (what.channel->source->unreported.load() != 0) [[unlikely]]
        notify_dropped(*what.channel->source, what.level);
    const delivered_instance now{what, here.word(), object.key, object.generation};
    for (subscription* l = what.channel->first.load(); l != nullptr; l = l->next) l->offer(now);
}

// Counts an instance as dropped in each subscription that would have seen it.
inline void drop(const event_channel& channel, object_of_event object, safety level) noexcept {
    for (subscription* l = channel.first.load(); l != nullptr; l = l->next)
        l->lose(object.key, object.generation, level);
}

// Delivers an event of an ordered source, on the one thread that does it.
inline void deliver_next(instance_queue& queue, instance what, object_of_event object) {
    const std::int64_t last = queue.last_stamp.load();
    // Two threads have read the clock and then overtaken one another; a clock that begins again goes back further.
    if (what.stamp < last && last - what.stamp <= what.channel->source->max_ticks / 2) what.stamp = last;
    queue.last_stamp.store(what.stamp);
    deliver(what, object);
}

// Delivers the events of an ordered source that wait, one after another, for the one thread that has opened its queue.
struct ordered_receiver {
    instance_queue& queue;
    safety level;

    static bool may_deliver() noexcept { return true; }
    void deliver(queued_instance& first) const {
        deliver_next(queue, {first.channel, first.payload(), first.stamp, level}, {first.key, first.generation});
    }
    void drop(const queued_instance& first) const noexcept {
        internal::drop(*first.channel, {first.key, first.generation}, level);
    }
};
[[gnu::noinline]] inline void deliver_in_order(instance_queue& queue, safety level) {
    queue.take_all(ordered_receiver{queue, level});
}
// The same for the thread that has opened the queue.
[[gnu::noinline]] inline void deliver_waiting(instance_queue& queue, safety level) {
    queue.take_waiting(ordered_receiver{queue, level});
}

// An instance is lost without a queue, or if the queue has no room.
inline void put_in_order(instance_queue* queue, const instance& what, object_of_event object) noexcept {
    if (queue == nullptr || !queue->push(what, object.key, object.generation)) drop(*what.channel, object, what.level);
}

inline void deliver_kept(source_channel& source, safety level) {
    instance_queue* queue = source.queue.load();
    if (queue != nullptr && !queue->is_empty()) deliver_in_order(*queue, level);
}
inline void deliver_kept(subscription& receiver, safety level) {
    receiver.channel->is_ordered ? deliver_kept(*receiver.channel->source, level) : receiver.flush(level);
}

} // namespace internal
} // namespace mpit
