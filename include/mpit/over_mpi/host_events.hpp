// SPDX-License-Identifier: BSD-3-Clause
// Registrations of tools' callbacks for events of the host MPI. Tools receive registration handles of mpit. The host
// MPI calls functions of mpit, which call the tool's functions. A tool's function receives mpit's registration handle,
// the merged index of the source, and an instance handle that becomes invalid after the callback.
//
//   the_host_events.allocate(event, object, hints, word);   the_host_events.registrations.find(word)->handle.load();
#pragma once

#include <mpit/event/instance.hpp>
#include <mpit/mpi_t/shim.hpp>
#include <mpit/over_mpi/discovery.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::handle_word;
using core::slot_header;
using core::slot_pool;

// The object that the host MPI receives as the user data of a callback. A host_callback does not change before the
// registration is freed. While a tool replaces a callback, the host MPI may still use the old host_callback.
struct host_callback : slot_header {
    std::uint64_t registration = 0;
    mpi_t::event_function function = nullptr;
    void* user_data = nullptr;
    host_callback* next = nullptr; // next callback of the same registration
};

struct host_registration : slot_header {
    atomic<MPI_T_event_registration> handle;
    atomic<const host_event*> event;
    atomic<host_callback*> callbacks[safety_count]; // current callback of each safety level
    atomic<host_callback*> all_callbacks;           // list that only grows until the registration is freed
    atomic<mpi_t::dropped_function> dropped_handler;
    atomic<mpi_t::free_function> free_function;
    atomic<void*> free_data;
};

// While a callback for an event of the host MPI runs, this structure is the payload of mpit's event instance.
struct host_instance {
    MPI_T_event_instance handle;
    const host_event* event;
};
inline constinit internal::event_channel channel_of_host;

class host_events {
public:
    slot_pool<host_registration> registrations{descriptor::handle_tag::host_registration};

    static bool is_registration(std::uint64_t word) noexcept {
        return handle_word::tag(word) == descriptor::handle_tag::host_registration;
    }

    // Allocates a registration. Returns MPI_T_ERR_OUT_OF_HANDLES if memory is exhausted, or the result of the host MPI.
    int allocate(const host_event& event, void* object, MPI_Info hints, std::uint64_t& handle) noexcept {
        MPI_T_event_registration host_handle{};
        const int host_index = event.host_index.load();
        if (host_index < 0) return MPI_T_ERR_INVALID_INDEX;
        if (!host::prepare_object(event.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        const int code = the_host.event_handle_alloc(host_index, object, hints, &host_handle);
        if (code != MPI_SUCCESS) return code;
        std::uint64_t word = 0;
        host_registration* slot = registrations.take(word);
        if (slot == nullptr) {
            the_host.event_handle_free(host_handle, nullptr, nullptr);
            return MPI_T_ERR_OUT_OF_HANDLES;
        }
        for (auto& callback : slot->callbacks) callback.store(nullptr);
        slot->all_callbacks.store(nullptr);
        slot->dropped_handler.store(nullptr);
        slot->free_function.store(nullptr);
        slot->handle.store(host_handle);
        slot->event.store(&event);
        slot->word.store(word);
        handle = word;
        return MPI_SUCCESS;
    }
    int register_callback(host_registration& slot, std::uint64_t word, safety level, MPI_Info hints,
                          mpi_t::event_function function, void* user_data) noexcept {
        host_callback* callback = function == nullptr ? nullptr : callback_of(slot, word, function, user_data);
        if (function != nullptr && callback == nullptr) return MPI_T_ERR_MEMORY;
        const int code = the_host.event_register_callback(slot.handle.load(), mpi_t::constant_of(level), hints,
                                                          callback, callback == nullptr ? nullptr : &on_event);
        if (code == MPI_SUCCESS) slot.callbacks[static_cast<int>(level)].store(callback);
        return code;
    }
    int set_dropped_handler(host_registration& slot, mpi_t::dropped_function function) noexcept {
        const mpi_t::dropped_function previous = slot.dropped_handler.exchange(function);
        const int code =
            the_host.event_set_dropped_handler(slot.handle.load(), function == nullptr ? nullptr : &on_dropped);
        if (code != MPI_SUCCESS) slot.dropped_handler.compare_and_set(function, previous);
        return code;
    }
    // Invalidates the registration handle at once. The host MPI calls on_freed() after the last callback. If the host
    // MPI returns an error, the registration handle is valid again.
    int free(host_registration& slot, std::uint64_t word, mpi_t::free_function function, void* user_data) {
        if (!registrations.close(slot, word)) return MPI_T_ERR_INVALID_HANDLE;
        slot.free_function.store(function);
        slot.free_data.store(user_data);
        const int code = the_host.event_handle_free(slot.handle.load(), mpi_t::handle_of<void*>(word), &on_freed);
        if (code != MPI_SUCCESS) slot.word.store(word);
        return code;
    }
    // Frees all registrations for events of the host MPI at the end of an init/finalize epoch.
    void free_all() noexcept {
        registrations.each([&](host_registration& slot, std::uint64_t word) { free(slot, word, nullptr, nullptr); });
    }

private:
    // Returns the existing or new callback with the given function and user data, or null if memory is exhausted.
    host_callback* callback_of(host_registration& slot, std::uint64_t word, mpi_t::event_function function,
                               void* user_data) noexcept {
        for (host_callback* entry = slot.all_callbacks.load(); entry != nullptr; entry = entry->next)
            if (entry->function == function && entry->user_data == user_data) return entry;
        std::uint64_t callback_word = 0;
        host_callback* callback = callbacks_.take(callback_word);
        if (callback == nullptr) return nullptr;
        callback->registration = word;
        callback->function = function;
        callback->user_data = user_data;
        callback->word.store(callback_word);
        callback->next = slot.all_callbacks.load();
        while (!slot.all_callbacks.compare_exchange(callback->next, callback)) {}
        return callback;
    }

    static void on_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety host_level,
                         void* data);
    static void on_dropped(MPI_Count count, MPI_T_event_registration host_handle, int source_index,
                           MPI_T_cb_safety host_level, void*);
    static void on_freed(MPI_T_event_registration, MPI_T_cb_safety host_level, void* data);

    slot_pool<host_callback> callbacks_{descriptor::handle_tag::host_callback};
};

inline constinit host_events the_host_events;

// Returns the merged index of an event source of the host MPI. Runs discovery if the source has no merged index yet.
// Returns -1 if the host MPI does not describe the source.
inline int source_index_of_host(int host_index) noexcept {
    int index = -1;
    find_or_discover(kind::source,
                     [&] { return (index = the_indices.list(kind::source).index_of_host(host_index)) >= 0; });
    return index;
}

inline void host_events::on_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety host_level,
                                  void* data) {
    const host_callback& callback = *static_cast<host_callback*>(data);
    const host_registration& slot = the_host_events.registrations.slot_of(callback.registration);
    const host_instance payload{instance, slot.event.load()};
    safety level{};
    if (!mpi_t::safety_of(host_level, level)) level = safety::async_signal_safe;
    const internal::instance own_instance{&channel_of_host, &payload, 0, level};
    const internal::instance_handle_scope shown{own_instance};
    callback.function(mpi_t::handle_of<MPI_T_event_instance>(shown.word()),
                      mpi_t::handle_of<MPI_T_event_registration>(callback.registration), host_level,
                      callback.user_data);
}

// Calls the tool's dropped handler with the user data of the callback that would be called at this safety level. If the
// registration has no callback for the level, the dropped handler is not called.
inline void host_events::on_dropped(MPI_Count count, MPI_T_event_registration host_handle, int source_index,
                                    MPI_T_cb_safety host_level, void*) {
    safety level{};
    if (!mpi_t::safety_of(host_level, level)) return;
    the_host_events.registrations.each([&](const host_registration& slot, std::uint64_t word) {
        if (slot.handle.load() != host_handle) return;
        const host_callback* callback = nullptr;
        for (int i = static_cast<int>(level); i < safety_count && callback == nullptr; i++)
            callback = slot.callbacks[i].load();
        const mpi_t::dropped_function handler = slot.dropped_handler.load();
        if (callback == nullptr || handler == nullptr) return;
        handler(count, mpi_t::handle_of<MPI_T_event_registration>(word), source_index_of_host(source_index), host_level,
                callback->user_data);
    });
}

inline void host_events::on_freed(MPI_T_event_registration, MPI_T_cb_safety host_level, void* data) {
    const std::uint64_t word = mpi_t::word_of(data);
    host_registration& slot = the_host_events.registrations.slot_of(word);
    if (const mpi_t::free_function function = slot.free_function.load())
        function(mpi_t::handle_of<MPI_T_event_registration>(word), host_level, slot.free_data.load());
    for (host_callback* entry = slot.all_callbacks.load(); entry != nullptr;) {
        host_callback& callback = *entry;
        const std::uint64_t callback_word = callback.word.load();
        entry = callback.next;
        callback.word.store(0);
        the_host_events.callbacks_.release(callback, callback_word);
    }
    the_host_events.registrations.release(slot, word);
}

} // namespace over_mpi
} // namespace mpit
