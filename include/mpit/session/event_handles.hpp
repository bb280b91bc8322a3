// SPDX-License-Identifier: BSD-3-Clause
// Allocates, changes and frees the handles of event registrations (MPI-5.0, 15.3.8). A registration handle refers to a
// subscription, which contains the callbacks and the queue of the registration.
//
//   std::uint64_t handle;  events.allocate(registry, record, nullptr, hints, calls, epochs, handle);
#pragma once

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/event/delivery.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/epochs.hpp>
#include <mpit/session/event_hints.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

using internal::subscription;
using internal::tool_function;
using registry::event_record;

class event_handles {
public:
    // Returns MPI_T_ERR_OUT_OF_HANDLES if memory is exhausted, and MPI_T_ERR_NOT_INITIALIZED if another thread calls
    // the last finalize during this call. allocate() also returns the errors of reference::bind().
    result allocate(registry::process_registry& registry, event_record& record, const void* object_handle,
                    const registration_hints& hints, const internal::tool_calls& calls, const epoch_counter& epochs,
                    std::uint64_t& handle) {
        for (subscription* receiver = record.channel.first.load(); receiver != nullptr; receiver = receiver->next)
            receiver->end_if_idle(internal::level_of_thread()); // completes frees that ended threads left undone
        const core::read_guard guard;
        reference<descriptor::event> target;
        const result status = target.bind(record, object_handle);
        if (status != result::success) return status;
        std::uint64_t word = 0;
        event_slot* slot = pool_.take(word);
        if (slot == nullptr) return result::out_of_handles;
        close_stale_registrations(record.channel, target.incarnation);
        subscription* receiver =
            create_source_queue(registry, record.channel) ? claim(registry, record.channel, word, hints) : nullptr;
        if (receiver == nullptr) {
            pool_.release(*slot, word);
            return result::out_of_handles;
        }
        receiver->key.store(target.key);
        receiver->generation.store(target.generation);
        receiver->incarnation.store(target.incarnation);
        receiver->calls.store(&calls);
        slot->receiver.store(receiver);
        slot->variable.store(target);
        const std::uint32_t epoch = epochs.current();
        slot->epoch.store(epoch);
        slot->word.store(word, core::seq_cst); // pairs with slot_pool::each() in free_all()
        receiver->word.store(word, core::seq_cst);
        target.variable->listening.fetch_add(1);
        if (!epochs.is_current(epoch)) { // the last finalize may have missed this registration
            static_cast<void>(free(registry, word, nullptr, nullptr));
            return result::not_initialized;
        }
        handle = word;
        return result::success;
    }
    // Delivers the queued instances, and then frees the registration. `function` is the tool's free function, which is
    // called once after all callbacks of the registration have returned. The free function is called by the thread that
    // calls free(), or by the thread whose callback returns last.
    result free(registry::process_registry& registry, std::uint64_t handle, tool_function function, void* data) {
        event_slot* slot = pool_.find(handle);
        if (slot == nullptr) return result::invalid_handle;
        internal::deliver_deferred(*slot->receiver.load(), internal::level_of_thread());
        if (!pool_.close(*slot, handle)) return result::invalid_handle;
        const closed_registration closed = close(*slot, handle, function, data);
        end(registry, &closed, 1);
        return result::success;
    }
    void free_all(registry::process_registry& registry, std::uint32_t epoch) {
        constexpr std::size_t capacity = 64;
        closed_registration closed[capacity];
        std::size_t count = 0;
        const auto end_closed = [&] {
            end(registry, closed, count);
            count = 0;
        };
        pool_.each([&](event_slot& slot, std::uint64_t word) {
            if (!core::is_of_epoch(slot, epoch) || !pool_.close(slot, word)) return;
            closed[count++] = close(slot, word, nullptr, nullptr);
            if (count == capacity) end_closed();
        });
        end_closed();
        pool_.each_slot(pool_.slot_count(), [&](event_slot& slot) {
            subscription* const receiver = slot.receiver.load();
            const std::uint64_t word = receiver == nullptr ? 0 : receiver->closing.load();
            if (word != 0 && pool_.is_of(slot, word)) receiver->end_if_idle(internal::level_of_thread());
        });
    }
    // Frees all registrations, and waits until none of their callbacks is running. Must be called before release_all().
    // Returns false if a thread is still in a callback after about one second.
    bool end_all(registry::process_registry& registry) noexcept {
        free_all(registry, core::any_epoch);
        const auto is_callback_running = [this] {
            bool is_running = false;
            pool_.each_slot(pool_.slot_count(), [&](event_slot& slot) {
                const subscription* receiver = slot.receiver.load();
                const std::uint64_t word = receiver == nullptr ? 0 : receiver->closing.load(core::seq_cst);
                is_running = is_running || (word != 0 && pool_.is_of(slot, word));
            });
            return is_running;
        };
        return core::bounded_wait{}.wait_while(is_callback_running) && core::wait_for_grace_period(registry.shards);
    }
    void release_all() noexcept { pool_.release_all(); }
    // Makes the subscription and the slot of a freed registration reusable. The tool's free callback has returned
    // before.
    void release(subscription& ended, std::uint64_t word) noexcept {
        ended.release();
        pool_.release(pool_.slot_of(word), word);
    }

    // Returns the subscription of a registration, or null if the handle is invalid or the event's library was unloaded.
    subscription* find(std::uint64_t handle) noexcept {
        const event_slot* slot = pool_.find(handle);
        if (slot == nullptr) return nullptr;
        subscription* receiver = slot->receiver.load();
        const reference<descriptor::event> target = slot->variable.load();
        return slot->word.load() == handle && target.is_loaded() ? receiver : nullptr;
    }
    // A null `function` removes the callback. Returns MPI_T_ERR_NOT_ACCESSIBLE if another change of the same callback
    // is not complete after about one second, for example because a signal handler has interrupted that change.
    result register_callback(std::uint64_t handle, safety level, tool_function function, void* data,
                             const callback_hints& hints) noexcept {
        subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        return receiver->change(static_cast<unsigned>(level), handle, [&](internal::callback& entry) {
            entry = {function, data, hints.one_in};
            return true;
        });
    }
    // Returns MPI_T_ERR_INVALID if no callback is registered for the safety level.
    result set_callback_hints(std::uint64_t handle, safety level, const info& hints) noexcept {
        subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        bool has_callback = false;
        const result status = receiver->change(static_cast<unsigned>(level), handle, [&](internal::callback& entry) {
            callback_hints new_hints{entry.one_in};
            new_hints.take(hints);
            entry.one_in = new_hints.one_in;
            return has_callback = entry.function != nullptr;
        });
        return status == result::success && !has_callback ? result::invalid : status;
    }
    result get_callback_hints(std::uint64_t handle, safety level, callback_hints& hints) noexcept {
        const subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        const internal::callback entry = receiver->callbacks[static_cast<int>(level)].load();
        if (find(handle) == nullptr) return result::invalid_handle; // `entry` may belong to another registration
        if (entry.function == nullptr) return result::invalid;
        hints.one_in = entry.one_in;
        return result::success;
    }
    result set_hints(std::uint64_t handle, const info& hints) noexcept {
        subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        return receiver->change(subscription::dropped_handler, handle, [&](internal::callback&) {
            registration_hints new_hints = hints_of(*receiver);
            new_hints.take(hints);
            apply(*receiver, new_hints);
            return false;
        });
    }
    // Sets `has_hints` to false for an event of an ordered source, because all events of the source share one queue.
    result get_hints(std::uint64_t handle, registration_hints& hints, bool& has_hints) noexcept {
        const subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        has_hints = !receiver->channel->is_ordered;
        hints = hints_of(*receiver);
        // If the handle was freed while `hints` was loaded, the hints may belong to another registration.
        return find(handle) != nullptr ? result::success : result::invalid_handle;
    }
    result set_dropped_handler(std::uint64_t handle, tool_function handler) noexcept {
        subscription* receiver = find(handle);
        if (receiver == nullptr) return result::invalid_handle;
        return receiver->set_dropped_handler(handler, handle);
    }

private:
    struct event_slot : core::slot_header {
        atomic<subscription*> receiver;
        bound_variable<descriptor::event> variable;
    };
    // The smallest capacity of a registration's queue, in instances. A tool can later raise the buffer depth of the
    // registration up to the queue's capacity.
    static constexpr std::uint64_t min_capacity = 256;
    static constexpr std::uint64_t cells_of_ordered_source = 1024;

    static std::uint64_t cells_of(const subscription& receiver) noexcept {
        return internal::instance_queue::cells_for(receiver.channel->size);
    }
    static registration_hints hints_of(const subscription& receiver) noexcept {
        return {receiver.queue.limit() / cells_of(receiver), receiver.policy.load()};
    }
    static void apply(subscription& receiver, const registration_hints& hints) noexcept {
        receiver.policy.store(hints.policy);
        if (hints.depth * cells_of(receiver) > receiver.queue.capacity()) return;
        receiver.queue.set_limit(hints.depth * cells_of(receiver));
    }
    // Creates the queue that all events of an ordered source share. Returns false if memory is exhausted.
    static bool create_source_queue(registry::process_registry& registry, internal::event_channel& channel) noexcept {
        if (!channel.is_ordered || channel.source->queue.load() != nullptr) return true;
        auto* queue = registry.memory.make<internal::instance_queue>(
            internal::instance_queue::bytes_for(cells_of_ordered_source));
        if (queue == nullptr) return false;
        queue->set_memory(queue + 1, cells_of_ordered_source);
        channel.source->queue.compare_and_set(nullptr, queue);
        return true;
    }
    // Closes the registrations that tools made before the event's library was unloaded and loaded again.
    static void close_stale_registrations(internal::event_channel& channel, std::uint32_t incarnation) noexcept {
        for (subscription* receiver = channel.first.load(); receiver != nullptr; receiver = receiver->next) {
            const std::uint64_t word = receiver->word.load();
            if (word != 0 && receiver->incarnation.load() != incarnation) receiver->word.compare_and_set(word, 0);
        }
    }
    // Returns an unused subscription of the event or a new subscription. Returns null if memory is exhausted.
    static subscription* claim(registry::process_registry& registry, internal::event_channel& channel,
                               std::uint64_t word, const registration_hints& hints) noexcept {
        for (subscription* receiver = channel.first.load(); receiver != nullptr; receiver = receiver->next) {
            const bool is_large_enough =
                channel.is_ordered || receiver->queue.capacity() >= hints.depth * cells_of(*receiver);
            if (!is_large_enough || receiver->owner.load(core::relaxed) != 0 ||
                !receiver->owner.compare_and_set(0, word))
                continue;
            if (receiver->begin()) {
                apply(*receiver, hints);
                return receiver;
            }
            receiver->owner.store(0);
        }
        // The capacity is rounded up to a power of two, so that a later registration can often reuse the subscription.
        std::uint64_t capacity = channel.is_ordered ? 0 : min_capacity;
        while (capacity != 0 && capacity < hints.depth) capacity *= 2;
        const std::uint64_t cells = capacity * internal::instance_queue::cells_for(channel.size);
        auto* receiver = registry.memory.make<subscription>(internal::instance_queue::bytes_for(cells));
        if (receiver == nullptr) return nullptr;
        receiver->channel = &channel;
        if (cells != 0) receiver->queue.set_memory(receiver + 1, cells);
        receiver->in_flight.assign_cell();
        receiver->owner.store(word);
        apply(*receiver, hints);
        receiver->next = channel.first.load();
        while (!channel.first.compare_exchange(receiver->next, receiver)) {}
        return receiver;
    }
    // A registration that is being freed. The `word` of the registration's subscription is 0. After a fence on every
    // processor, no callback of the registration begins.
    struct closed_registration {
        subscription* receiver;
        std::uint64_t word;
    };
    static closed_registration close(event_slot& slot, std::uint64_t word, tool_function function,
                                     void* data) noexcept {
        subscription& receiver = *slot.receiver.load();
        const reference<descriptor::event> target = slot.variable.load();
        receiver.free_function = function;
        receiver.free_data = data;
        {
            const core::read_guard guard;
            if (target.is_loaded()) target.variable->listening.fetch_add(-1u);
        }
        receiver.word.store(0, core::seq_cst);
        return {&receiver, word};
    }
    // Runs the heavy sides of two asymmetric fences (P1202). The light sides of the fences are in in_flight_count.
    // After the first fence, each delivery either is counted in in_flight_count or reads 0 from the subscription's
    // `word`. After the second fence, each delivery that ends either has already decremented in_flight_count or reads
    // `closing`. The two fences take about one microsecond and run once for all registrations in `closed`.
    static void end(registry::process_registry& registry, const closed_registration* closed, std::size_t count) {
        if (count == 0) return;
        registry.shards.fences.heavy();
        for (std::size_t i = 0; i < count; i++) closed[i].receiver->closing.store(closed[i].word, core::seq_cst);
        registry.shards.fences.heavy();
        for (std::size_t i = 0; i < count; i++) closed[i].receiver->end_if_idle(internal::level_of_thread());
    }

    core::slot_pool<event_slot> pool_{descriptor::handle_tag::event_registration};
};

} // namespace session
} // namespace mpit
