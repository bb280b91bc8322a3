// SPDX-License-Identifier: BSD-3-Clause
// Registrations on events: handles on the subscriptions of an event's channel (MPI-5.0, 15.3.8).
//
//   std::uint64_t handle;  events.allocate(registry, record, nullptr, hints, calls, counting, handle);
#pragma once

#include <mpit/concurrency/slot_pool.hpp>
#include <mpit/event/delivery.hpp>
#include <mpit/registry/process_registry.hpp>
#include <mpit/session/bound_variable.hpp>
#include <mpit/session/epochs.hpp>
#include <mpit/session/event_hints.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using internal::subscription;
using internal::tool_function;
using registry::event_record;

class event_handles {
public:
    // MPI_T_ERR_OUT_OF_HANDLES without memory, MPI_T_ERR_INVALID_INDEX or _HANDLE as of reference::bind,
    // MPI_T_ERR_NOT_INITIALIZED if the epoch ends meanwhile.
    result allocate(registry::process_registry& registry, event_record& record, const void* object_handle,
                    const registration_hints& hints, const internal::tool_calls& calls, const epochs& counting,
                    std::uint64_t& handle) {
        for (subscription* each = record.channel.first.load(); each != nullptr; each = each->next)
            each->end_if_left(internal::level_of_thread()); // threads may have ended inside of callbacks
        const core::read_guard guard;
        reference<descriptor::event> target;
        const result bound = target.bind(record, object_handle);
        if (bound != result::success) return bound;
        std::uint64_t word = 0;
        slot* made = pool_.take(word);
        if (made == nullptr) return result::out_of_handles;
        silence_others(record.channel, target.incarnation);
        subscription* claimed =
            prepare_queue(registry, record.channel) ? claim(registry, record.channel, word, hints) : nullptr;
        if (claimed == nullptr) {
            pool_.release(*made, word);
            return result::out_of_handles;
        }
        claimed->key.store(target.key);
        claimed->generation.store(target.generation);
        claimed->incarnation.store(target.incarnation);
        claimed->calls.store(&calls);
        made->receiver.store(claimed);
        made->variable.store(target);
        const std::uint32_t epoch = counting.present();
        made->epoch.store(epoch);
        made->word.store(word, core::sequential); // pairs with slot_pool::each() in free_all()
        claimed->word.store(word, core::sequential);
        target.variable->listening.fetch_add(1);
        if (!counting.goes_on(epoch)) { // then the finalize may have missed the registration
            static_cast<void>(free(registry, word, nullptr, nullptr));
            return result::not_initialized;
        }
        handle = word;
        return result::success;
    }
    // What is kept is delivered first. `function` is called once, when no callback is running any more: in this call,
    // or by the thread that leaves the last callback.
    result free(registry::process_registry& registry, std::uint64_t handle, tool_function function, void* data) {
        slot* s = pool_.find(handle);
        if (s == nullptr) return result::invalid_handle;
        internal::deliver_kept(*s->receiver.load(), internal::level_of_thread());
        if (!pool_.close(*s, handle)) return result::invalid_handle;
        const ending one = silence(*s, handle, function, data);
        end(registry, &one, 1);
        return result::success;
    }
    void free_all(registry::process_registry& registry, std::uint32_t epoch) {
        constexpr std::size_t most = 64;
        ending some[most];
        std::size_t count = 0;
        const auto end_some = [&] {
            end(registry, some, count);
            count = 0;
        };
        pool_.each([&](slot& s, std::uint64_t word) {
            if (!core::is_of_epoch(s, epoch) || !pool_.close(s, word)) return;
            some[count++] = silence(s, word, nullptr, nullptr);
            if (count == most) end_some();
        });
        end_some();
        pool_.each_slot(pool_.slot_count(), [&](slot& s) {
            subscription* const receiver = s.receiver.load();
            const std::uint64_t word = receiver == nullptr ? 0 : receiver->closing.load();
            if (word != 0 && pool_.is_of(s, word)) receiver->end_if_left(internal::level_of_thread());
        });
    }
    // For shims that are being unloaded: this first, and then release_all() everywhere. Returns false if a thread is
    // still in a callback after about a second.
    bool end_all(registry::process_registry& registry) noexcept {
        free_all(registry, core::every_epoch);
        const auto is_inside_of_one = [this] {
            bool is_inside = false;
            pool_.each_slot(pool_.slot_count(), [&](slot& s) {
                const subscription* l = s.receiver.load();
                const std::uint64_t word = l == nullptr ? 0 : l->closing.load(core::sequential);
                is_inside = is_inside || (word != 0 && pool_.is_of(s, word));
            });
            return is_inside;
        };
        return core::bounded_wait{}.wait_while(is_inside_of_one) && core::wait_for_readers(registry.shards);
    }
    void release_all() noexcept { pool_.release_all(); }
    // Called after the free function of an ended registration.
    void release(subscription& ended, std::uint64_t word) noexcept {
        ended.release();
        pool_.release(pool_.slot_of(word), word);
    }

    // The listener of a registration, or null.
    subscription* find(std::uint64_t handle) noexcept {
        const slot* s = pool_.find(handle);
        if (s == nullptr) return nullptr;
        subscription* found = s->receiver.load();
        const reference<descriptor::event> target = s->variable.load();
        return s->word.load() == handle && target.is_loaded() ? found : nullptr;
    }
    // A null function removes the callback. MPI_T_ERR_NOT_ACCESSIBLE if another thread is changing it and does not get
    // on, which is not an answer outside of signal handlers.
    result register_callback(std::uint64_t handle, safety level, tool_function function, void* data,
                             const callback_hints& hints) noexcept {
        subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        return l->change(static_cast<unsigned>(level), handle, [&](internal::callback& entry) {
            entry = {function, data, hints.one_in};
            return true;
        });
    }
    // MPI_T_ERR_INVALID if the level has no callback.
    result set_callback_hints(std::uint64_t handle, safety level, const info& hints) noexcept {
        subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        bool is_there = false;
        const result changed = l->change(static_cast<unsigned>(level), handle, [&](internal::callback& entry) {
            callback_hints present{entry.one_in};
            present.take(hints);
            entry.one_in = present.one_in;
            return is_there = entry.function != nullptr;
        });
        return changed == result::success && !is_there ? result::invalid : changed;
    }
    result get_callback_hints(std::uint64_t handle, safety level, callback_hints& hints) noexcept {
        const subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        const internal::callback present = l->callbacks[static_cast<int>(level)].load();
        if (find(handle) == nullptr) return result::invalid_handle; // what was loaded may be another registration's
        if (present.function == nullptr) return result::invalid;
        hints.one_in = present.one_in;
        return result::success;
    }
    result set_hints(std::uint64_t handle, const info& hints) noexcept {
        subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        return l->change(subscription::dropped_handler, handle, [&](internal::callback&) {
            registration_hints wanted = hints_of(*l);
            wanted.take(hints);
            apply(*l, wanted);
            return false;
        });
    }
    // An event of an ordered source waits in the queue of the source, so that its registrations have no hints.
    result get_hints(std::uint64_t handle, registration_hints& hints, bool& has_some) noexcept {
        const subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        has_some = !l->channel->is_ordered;
        hints = hints_of(*l);
        return find(handle) != nullptr ? result::success
                                       : result::invalid_handle; // or these may be another registration's
    }
    result set_dropped_handler(std::uint64_t handle, tool_function handler) noexcept {
        subscription* l = find(handle);
        if (l == nullptr) return result::invalid_handle;
        return l->set_dropped_handler(handler, handle);
    }

private:
    struct slot : core::slot_header {
        atomic<subscription*> receiver;
        bound_variable<descriptor::event> variable;
    };
    // A registration can be given a larger depth later up to this one, or to the one that it began with.
    static constexpr std::uint64_t least_room = 256;
    static constexpr std::uint64_t cells_of_ordered_source = 1024;

    static std::uint64_t cells_of(const subscription& l) noexcept {
        return internal::instance_queue::cells_for(l.channel->size);
    }
    static registration_hints hints_of(const subscription& l) noexcept {
        return {l.queue.limit() / cells_of(l), l.policy.load()};
    }
    static void apply(subscription& l, const registration_hints& hints) noexcept {
        l.policy.store(hints.policy);
        if (hints.depth * cells_of(l) > l.queue.capacity()) return;
        l.queue.limit_to(hints.depth * cells_of(l));
    }
    // An ordered source keeps all events of the moment in one queue.
    static bool prepare_queue(registry::process_registry& registry, internal::event_channel& channel) noexcept {
        if (!channel.is_ordered || channel.source->queue.load() != nullptr) return true;
        auto* made = registry.memory.make<internal::instance_queue>(
            internal::instance_queue::bytes_for(cells_of_ordered_source));
        if (made == nullptr) return false;
        made->use(made + 1, cells_of_ordered_source);
        channel.source->queue.replace(nullptr, made);
        return true;
    }
    // Registrations from before the library was unloaded receive nothing of it when it is there again.
    static void silence_others(internal::event_channel& channel, std::uint32_t incarnation) noexcept {
        for (subscription* each = channel.first.load(); each != nullptr; each = each->next) {
            const std::uint64_t word = each->word.load();
            if (word != 0 && each->incarnation.load() != incarnation) each->word.replace(word, 0);
        }
    }
    // An unused subscription of the event, or a new one; null without memory.
    static subscription* claim(registry::process_registry& registry, internal::event_channel& channel,
                               std::uint64_t word, const registration_hints& hints) noexcept {
        for (subscription* each = channel.first.load(); each != nullptr; each = each->next) {
            const bool is_large_enough = channel.is_ordered || each->queue.capacity() >= hints.depth * cells_of(*each);
            if (!is_large_enough || each->owner.load(core::relaxed) != 0 || !each->owner.replace(0, word)) continue;
            if (each->begin()) {
                apply(*each, hints);
                return each;
            }
            each->owner.store(0);
        }
        // Rooms of few sizes, so that the next registration finds one that is large enough.
        std::uint64_t room = channel.is_ordered ? 0 : least_room;
        while (room != 0 && room < hints.depth) room *= 2;
        const std::uint64_t cells = room * internal::instance_queue::cells_for(channel.size);
        auto* made = registry.memory.make<subscription>(internal::instance_queue::bytes_for(cells));
        if (made == nullptr) return nullptr;
        made->channel = &channel;
        if (cells != 0) made->queue.use(made + 1, cells);
        made->in_flight.assign_cell();
        made->owner.store(word);
        apply(*made, hints);
        made->next = channel.first.load();
        while (!channel.first.compare_exchange(made->next, made)) {}
        return made;
    }
    // A registration of which no callback begins any more once a fence has run on every processor.
    struct ending {
        subscription* receiver;
        std::uint64_t word;
    };
    static ending silence(slot& s, std::uint64_t word, tool_function function, void* data) noexcept {
        subscription& l = *s.receiver.load();
        const reference<descriptor::event> target = s.variable.load();
        l.free_function = function;
        l.free_data = data;
        {
            const core::read_guard guard;
            if (target.is_loaded()) target.variable->listening.fetch_add(-1u);
        }
        l.word.store(0, core::sequential);
        return {&l, word};
    }
    // The fences order it for every thread: first no callback begins, then the end is known, and then the deliveries in
    // flight are counted. Two of them, half a microsecond each, serve all that end together.
    static void end(registry::process_registry& registry, const ending* all, std::size_t count) {
        if (count == 0) return;
        registry.shards.fences.heavy();
        for (std::size_t i = 0; i < count; i++) all[i].receiver->closing.store(all[i].word, core::sequential);
        registry.shards.fences.heavy();
        for (std::size_t i = 0; i < count; i++) all[i].receiver->end_if_left(internal::level_of_thread());
    }

    core::slot_pool<slot> pool_{descriptor::handle_tag::event_registration};
};

} // namespace session
} // namespace mpit
