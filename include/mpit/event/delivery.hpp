// SPDX-License-Identifier: BSD-3-Clause
// Delivers new and queued instances of an event to the event's subscriptions, which contain the registrations of tools.
// This code runs only if a tool has registered for the event.
//
//   internal::deliver(event_instance, object);   internal::deliver_deferred(subscription, level);
#pragma once

#include <mpit/event/subscription.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The MPI object for which a bound event is raised. `key` is the MPI handle of this object. `generation` distinguishes
// objects that have had the same MPI handle one after the other. For an unbound event, `key` and `generation` are 0.
struct object_of_event {
    object_key key = 0;
    std::uint32_t generation = 0;
};

inline object_of_event object_of(descriptor::event& e, object_key key) noexcept {
    object_of_event object{key, 0};
    if (e.operations->key != nullptr) e.operations->locate(e, key, object.generation);
    return object;
}

inline std::int64_t wrapped_ticks(std::int64_t ticks, std::int64_t max_ticks) noexcept {
    if (ticks >= 0 && ticks <= max_ticks) [[likely]]
        return ticks;
    const std::uint64_t positive = static_cast<std::uint64_t>(ticks) & INT64_MAX;
    return static_cast<std::int64_t>(max_ticks == INT64_MAX ? positive
                                                            : positive % (static_cast<std::uint64_t>(max_ticks) + 1));
}

// Returns the time of the steady clock in ticks. One second has `ticks_per_second` ticks.
inline std::int64_t steady_ticks(std::uint64_t ticks_per_second) noexcept {
    constexpr std::uint64_t second = 1'000'000'000;
    const std::uint64_t now = core::nanoseconds();
    return static_cast<std::int64_t>(now / second * ticks_per_second + now % second * ticks_per_second / second);
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

// Calls the dropped handlers of registrations for the events of a source, before the source's next instance is
// delivered. A search that leaves nothing to report at safety level `level` sets the level's bit in `reported_levels`.
// While the bit of a safety level is set, raises at this level skip the search.
[[gnu::cold]] inline void notify_dropped(source_channel& source, safety level) {
    std::uint64_t reported_levels = source.reported_levels.load();
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(level);
    if ((reported_levels & bit) != 0) return;
    bool has_more = false;
    for (event_channel* channel = source.first.load(); channel != nullptr; channel = channel->next_in_source.load())
        for (subscription* receiver = channel->first.load(); receiver != nullptr; receiver = receiver->next)
            has_more |= !receiver->report_dropped(level);
    // If another thread has changed `reported_levels`, the compare-exchange fails, and the next raise searches again.
    if (!has_more) static_cast<void>(source.reported_levels.compare_exchange(reported_levels, reported_levels | bit));
}

inline void deliver(const instance& event_instance, object_of_event object) {
    const instance_handle_scope shown{event_instance};
    if (event_instance.channel->source->unreported.load() != 0) [[unlikely]]
        notify_dropped(*event_instance.channel->source, event_instance.level);
    const delivered_instance delivery{event_instance, shown.word(), object.key, object.generation};
    for (subscription* receiver = event_instance.channel->first.load(); receiver != nullptr; receiver = receiver->next)
        receiver->offer(delivery);
}

// Counts an event instance as dropped in each subscription that would have received the instance.
inline void drop(const event_channel& channel, object_of_event object, safety level) noexcept {
    for (subscription* receiver = channel.first.load(); receiver != nullptr; receiver = receiver->next)
        receiver->count_dropped(object.key, object.generation, level);
}

// Delivers an instance of an ordered event source. Only the consumer of the source's queue calls deliver_next().
inline void deliver_next(instance_queue& queue, instance event_instance, object_of_event object) {
    const std::int64_t last = queue.last_stamp.load();
    // Stamps must not decrease, so a stamp below the last delivered stamp is replaced by the last delivered stamp. A
    // lower stamp occurs if another thread has read the clock later but delivered its instance first. If the two stamps
    // differ by more than half of max_ticks, mpit assumes that the clock has wrapped to 0.
    if (event_instance.stamp < last && last - event_instance.stamp <= event_instance.channel->source->max_ticks / 2)
        event_instance.stamp = last;
    queue.last_stamp.store(event_instance.stamp);
    deliver(event_instance, object);
}

// Delivers the instances that wait in the queue of an ordered event source, one after another.
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
// Does the work of deliver_in_order() in a thread that already is the consumer of the queue.
[[gnu::noinline]] inline void consume_in_order(instance_queue& queue, safety level) {
    queue.consume(ordered_receiver{queue, level});
}

// Adds an instance to the queue of an ordered event source. If the queue does not exist or is full, drops the instance.
inline void enqueue_in_order(instance_queue* queue, const instance& event_instance, object_of_event object) noexcept {
    if (queue == nullptr || !queue->push(event_instance, object.key, object.generation))
        drop(*event_instance.channel, object, event_instance.level);
}

inline void deliver_deferred(source_channel& source, safety level) {
    instance_queue* queue = source.queue.load();
    if (queue != nullptr && !queue->is_empty()) deliver_in_order(*queue, level);
}
inline void deliver_deferred(subscription& receiver, safety level) {
    receiver.channel->is_ordered ? deliver_deferred(*receiver.channel->source, level)
                                 : receiver.deliver_deferred(level);
}

} // namespace internal
} // namespace mpit
