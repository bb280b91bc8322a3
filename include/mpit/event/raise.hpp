// SPDX-License-Identifier: BSD-3-Clause
// Raises an event for which a tool has registered. A raise reads the clock, finds the MPI object and calls callbacks.
//
//   internal::raise(event, &payload, {}, safety::none);
#pragma once

#include <mpit/event/delivery.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

[[gnu::noinline]] MPIT_INLINE void raise(descriptor::event& e, const void* payload, object_key key, safety level) {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    const instance event_instance{channel, payload, wrapped_ticks(ticks_now(e), channel->source->max_ticks), level};
    const object_of_event object = object_of(e, key);
    if (!channel->is_ordered) [[likely]]
        return deliver(event_instance, object);
    instance_queue* queue = channel->source->queue.load();
    if (queue == nullptr) return drop(*channel, object, level);
    const bool is_delivered = queue->deliver_at_once([&] { consume_in_order(*queue, level); },
                                                     [&] { deliver_next(*queue, event_instance, object); });
    if (!is_delivered) enqueue_in_order(queue, event_instance, object);
    if (!is_delivered || queue->has_first()) deliver_in_order(*queue, level);
}

[[gnu::noinline]] MPIT_INLINE void defer(descriptor::event& e, const void* payload, object_key key) noexcept {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    const instance event_instance{channel, payload, wrapped_ticks(ticks_now(e), channel->source->max_ticks),
                                  safety::async_signal_safe};
    const object_of_event object = object_of(e, key);
    if (channel->is_ordered) return enqueue_in_order(channel->source->queue.load(), event_instance, object);
    for (subscription* receiver = channel->first.load(); receiver != nullptr; receiver = receiver->next)
        receiver->defer(event_instance, object.key, object.generation);
}

MPIT_INLINE void deliver_deferred(descriptor::event& e, safety level) {
    const event_channel* channel = e.channel.load();
    if (channel == nullptr) return;
    if (channel->is_ordered) return deliver_deferred(*channel->source, level);
    for (subscription* receiver = channel->first.load(); receiver != nullptr; receiver = receiver->next)
        receiver->deliver_deferred(level);
}

} // namespace internal
} // namespace mpit
