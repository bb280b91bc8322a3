// SPDX-License-Identifier: BSD-3-Clause
// Events of the registry of the process, for a reader: registrations, and the instances of its callbacks.
//
//   over_registry::register_callback(registration, safety::none, listener);   // calls listener.happened(instance)
#pragma once

#include <mpit/session/library.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// For the library's own use.
MPIT_MODULE_LOCAL inline constinit mpit::session::library readers_library;

// The part of over_registry for events. For the library's own use.
struct events_over_registry {
    using event_registration = std::uint64_t;
    using event_instance = std::uint64_t;

    MPIT_MODULE_LOCAL static result allocate_event(int number, const void* object,
                                                   event_registration& handle) noexcept {
        mpit::session::event_record* record = readers_library.event(number);
        if (record == nullptr) return result::invalid_index;
        return readers_library.events.allocate(readers_library.names(), *record, object, {}, calls,
                                               readers_library.counting, handle);
    }
    template <class Listener>
    MPIT_MODULE_LOCAL static result register_callback(event_registration handle, safety level,
                                                      Listener& listener) noexcept {
        const happened_function happened = [](void* data, std::uint64_t instance) {
            static_cast<Listener*>(data)->happened(instance);
        };
        const counted_function lost = [](void* data, std::int64_t count) { static_cast<Listener*>(data)->lost(count); };
        const result answer = readers_library.events.register_callback(handle, level, untyped(happened), &listener, {});
        if (answer != result::success) return answer;
        return readers_library.events.set_dropped_handler(handle, untyped(lost));
    }
    // The listener is deleted when no callback runs any more.
    template <class Listener>
    MPIT_MODULE_LOCAL static void end_event(event_registration handle, Listener* listener) noexcept {
        const freed_function freed = [](void* data) { delete static_cast<Listener*>(data); };
        if (readers_library.events.free(readers_library.names(), handle, untyped(freed), listener) != result::success)
            delete listener;
    }
    MPIT_MODULE_LOCAL static result read_element(event_instance instance, int element, void* value) noexcept {
        return visit(instance, [&](const internal::instance& seen) {
            if (element < 0 || static_cast<std::uint32_t>(element) >= seen.channel->element_count)
                return result::invalid_index;
            const internal::payload_element& described = seen.channel->elements[element];
            std::memcpy(value, static_cast<const char*>(seen.payload) + described.displacement,
                        core::size_of(described.type));
            return result::success;
        });
    }
    MPIT_MODULE_LOCAL static result copy_payload(event_instance instance, void* payload) noexcept {
        return visit(instance, [&](const internal::instance& seen) {
            std::memcpy(payload, seen.payload, seen.channel->size);
            return result::success;
        });
    }
    MPIT_MODULE_LOCAL static result time_of(event_instance instance, std::int64_t& ticks, int& source) noexcept {
        return visit(instance, [&](const internal::instance& seen) {
            ticks = seen.stamp;
            source = seen.channel->source->number();
            return result::success;
        });
    }

private:
    using happened_function = void (*)(void* data, std::uint64_t instance);
    using counted_function = void (*)(void* data, std::int64_t count);
    using freed_function = void (*)(void* data);

    // The core keeps functions of tools without their types; here each is converted from its type and back.
    template <class Function> static internal::tool_function untyped(Function function) noexcept {
        return reinterpret_cast<internal::tool_function>(function);
    }
    static void call_event(internal::tool_function function, void* data, std::uint64_t instance, std::uint64_t, safety) {
        reinterpret_cast<happened_function>(function)(data, instance);
    }
    static void call_dropped(internal::tool_function function, std::int64_t count, std::uint64_t, int, safety,
                             void* data) {
        reinterpret_cast<counted_function>(function)(data, count);
    }
    MPIT_MODULE_LOCAL static void call_freed(internal::subscription& ended, std::uint64_t registration, safety) {
        if (ended.free_function != nullptr) reinterpret_cast<freed_function>(ended.free_function)(ended.free_data);
        readers_library.events.release(ended, registration);
    }
    static constexpr internal::tool_calls calls{&call_event, &call_dropped, &call_freed};

    // MPI_T_ERR_INVALID_HANDLE unless the instance's callback is still running.
    template <class Look> MPIT_MODULE_LOCAL static result visit(std::uint64_t instance, Look look) noexcept {
        internal::instance_view seen;
        if (!seen.find(instance)) return result::invalid_handle;
        const result answer = look(*seen);
        return seen.is_shown() ? answer : result::invalid_handle;
    }
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
