// SPDX-License-Identifier: BSD-3-Clause
// Delivery of an event from its raise to its subscriptions. No code of this runs while no tool has subscribed.
//
//   internal::raise(event, &payload, {}, safety::none);
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
        return e.event_source->has_clock ? e.event_source->clock()
                                         : steady_ticks(static_cast<std::uint64_t>(e.event_source->ticks_per_second));
    }
}

// Tells every handler of a source's losses: they come before its next event. Losses without a callback
// for the level are looked for once.
[[gnu::cold]] MPIT_MODULE_LOCAL inline void notify_dropped(source_channel& source, safety level) noexcept {
    std::uint64_t told_levels = source.told_levels.load();
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(level);
    if ((told_levels & bit) != 0) return;
    bool is_left = false;
    for (event_channel* c = source.first.load(); c != nullptr; c = c->next_of_source.load())
        for (subscription* l = c->first.load(); l != nullptr; l = l->next) is_left |= !l->tell(level);
    // The exchange fails after a change, or after that of another level: the next raise looks again.
    if (!is_left) static_cast<void>(source.told_levels.compare_exchange(told_levels, told_levels | bit));
}

MPIT_MODULE_LOCAL inline void deliver(const instance& what, object_of_event object) noexcept {
    const shown_instance here{what};
    if (what.channel->source->unreported.load() != 0) [[unlikely]]
        notify_dropped(*what.channel->source, what.level);
    const delivered_instance now{what, here.word(), object.key, object.generation};
    for (subscription* l = what.channel->first.load(); l != nullptr; l = l->next) l->offer(now);
}

// Counts an instance as dropped in each subscription that would have seen it.
MPIT_MODULE_LOCAL inline void drop(const event_channel& channel, object_of_event object, safety level) noexcept {
    for (subscription* l = channel.first.load(); l != nullptr; l = l->next)
        l->lose(object.key, object.generation, level);
}

// Delivers an event of an ordered source, on the one thread that does it.
MPIT_MODULE_LOCAL inline void deliver_next(source_channel& source, instance what, object_of_event object) noexcept {
    const std::int64_t last = source.last_stamp.load();
    // Two threads have read the clock and then overtaken one another; a clock that begins again goes back further.
    if (what.stamp < last && last - what.stamp <= source.max_ticks / 2) what.stamp = last;
    source.last_stamp.store(what.stamp);
    deliver(what, object);
}

// Delivers the events of an ordered source one after another, on one thread at a time.
[[gnu::noinline]] MPIT_MODULE_LOCAL inline void deliver_in_order(source_channel& source, safety level) noexcept {
    instance_queue* queue = source.queue.load();
    if (queue == nullptr) return;
    queue->take_all([] { return true; },
                    [&](queued_instance& first) {
                        deliver_next(source, {first.channel, first.payload(), first.stamp, level}, {first.key, first.generation});
                    },
                    [&](queued_instance& first) {
                        drop(*first.channel, {first.key, first.generation}, level);
                    });
}

// The first step of an ordered source with each event; it is lost where the queue has no room.
MPIT_MODULE_LOCAL inline void put_in_order(const instance& what, object_of_event object) noexcept {
    instance_queue* queue = what.channel->source->queue.load();
    if (queue == nullptr || !queue->push(what, object.key, object.generation)) drop(*what.channel, object, what.level);
}

// An event has happened. It is delivered now, at the level that the context demands.
[[gnu::noinline]] MPIT_MODULE_LOCAL inline void raise(descriptor::event& e, const void* payload, object_key key,
                                                      safety level) noexcept {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    const instance what{channel, payload, wrapped_ticks(ticks_now(e), channel->source->max_ticks), level};
    const object_of_event object = object_of(e, key);
    if (!channel->is_ordered) [[likely]]
        return deliver(what, object);
    instance_queue* queue = channel->source->queue.load();
    const bool is_delivered =
        queue != nullptr && queue->deliver_at_once([&] { deliver_next(*channel->source, what, object); });
    if (!is_delivered) put_in_order(what, object);
    if (!is_delivered || queue->has_first()) deliver_in_order(*channel->source, level);
}

// An event has happened in which no callback may run. It is delivered before the next event of its kind, or by deliver_kept.
[[gnu::noinline]] MPIT_MODULE_LOCAL inline void keep(descriptor::event& e, const void* payload,
                                                     object_key key) noexcept {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    const instance what{channel, payload, wrapped_ticks(ticks_now(e), channel->source->max_ticks),
                        safety::async_signal_safe};
    const object_of_event object = object_of(e, key);
    if (channel->is_ordered) return put_in_order(what, object);
    for (subscription* l = channel->first.load(); l != nullptr; l = l->next)
        l->keep(what, object.key, object.generation);
}

MPIT_MODULE_LOCAL inline void deliver_kept(subscription& receiver, safety level) noexcept {
    receiver.channel->is_ordered ? deliver_in_order(*receiver.channel->source, level) : receiver.flush(level);
}
MPIT_MODULE_LOCAL inline void deliver_kept(descriptor::event& e, safety level) noexcept {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    if (channel->is_ordered) return deliver_in_order(*channel->source, level);
    for (subscription* l = channel->first.load(); l != nullptr; l = l->next) l->flush(level);
}

} // namespace internal
} // namespace mpit
