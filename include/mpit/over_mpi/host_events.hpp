// SPDX-License-Identifier: BSD-3-Clause
// Registrations on the host's events: words of the library, behind which the host calls functions of ours. These call
// the tool's functions with its registration, with an instance that is invalid afterwards, and with the merged number
// of the source.
//
//   host_registration* r = the_host_events.registrations.find(word);   the_host.event_handle_set_info(r->handle.load(), info);
#pragma once

#include <mpit/event/instance.hpp>
#include <mpit/mpi_t/shim.hpp>
#include <mpit/over_mpi/discovery.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::handle_word;
using core::slot_header;
using core::slot_pool;

// The data that the host gets with a callback. It stays as it is until the registration ends, because the host may be
// about to call it while another one takes its place.
struct host_callback : slot_header {
    std::uint64_t registration = 0;
    mpi_t::event_function function = nullptr;
    void* user_data = nullptr;
    host_callback* next = nullptr; // of the same registration
};

struct host_registration : slot_header {
    atomic<MPI_T_event_registration> handle;
    atomic<const host_event*> event;
    atomic<host_callback*> callbacks[safety_count]; // that are called now
    atomic<host_callback*> all_callbacks;
    atomic<mpi_t::dropped_function> dropped;
    atomic<mpi_t::free_function> freed;
    atomic<void*> data_of_freed;
};

// The payload of an instance that is being shown.
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

    // The host's answer; MPI_T_ERR_OUT_OF_HANDLES without memory.
    int allocate(const host_event& event, void* object, MPI_Info hints, std::uint64_t& handle) noexcept {
        MPI_T_event_registration of_host{};
        const int host_number = event.host_number.load();
        if (host_number < 0) return MPI_T_ERR_INVALID_INDEX;
        if (!host::takes_object(event.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        const int code = the_host.event_handle_alloc(host_number, object, hints, &of_host);
        if (code != MPI_SUCCESS) return code;
        std::uint64_t word = 0;
        host_registration* made = registrations.take(word);
        if (made == nullptr) {
            the_host.event_handle_free(of_host, nullptr, nullptr);
            return MPI_T_ERR_OUT_OF_HANDLES;
        }
        for (auto& callback : made->callbacks) callback.store(nullptr);
        made->all_callbacks.store(nullptr);
        made->dropped.store(nullptr);
        made->freed.store(nullptr);
        made->handle.store(of_host);
        made->event.store(&event);
        made->word.store(word);
        handle = word;
        return MPI_SUCCESS;
    }
    int register_callback(host_registration& registration, std::uint64_t word, safety level, MPI_Info hints,
                          mpi_t::event_function function, void* user_data) noexcept {
        host_callback* made = function == nullptr ? nullptr : callback_of(registration, word, function, user_data);
        if (function != nullptr && made == nullptr) return MPI_T_ERR_MEMORY;
        const int code = the_host.event_register_callback(registration.handle.load(), mpi_t::constant_of(level), hints,
                                                          made, made == nullptr ? nullptr : &on_event);
        if (code == MPI_SUCCESS) registration.callbacks[static_cast<int>(level)].store(made);
        return code;
    }
    int set_dropped_handler(host_registration& registration, mpi_t::dropped_function function) noexcept {
        const mpi_t::dropped_function previous = registration.dropped.exchange(function);
        const int code =
            the_host.event_set_dropped_handler(registration.handle.load(), function == nullptr ? nullptr : &on_dropped);
        if (code != MPI_SUCCESS) registration.dropped.replace(function, previous);
        return code;
    }
    // The registration is over at once; the host tells when its callbacks are. A call that the host refuses changes
    // nothing.
    int free(host_registration& ended, std::uint64_t word, mpi_t::free_function function, void* user_data) {
        if (!registrations.close(ended, word)) return MPI_T_ERR_INVALID_HANDLE;
        ended.freed.store(function);
        ended.data_of_freed.store(user_data);
        const int code = the_host.event_handle_free(ended.handle.load(), handle_as_data(word), &on_end);
        if (code != MPI_SUCCESS) ended.word.store(word);
        return code;
    }
    // All of them, at the end of an epoch.
    void free_all() noexcept {
        registrations.each([&](host_registration& r, std::uint64_t word) { free(r, word, nullptr, nullptr); });
    }

private:
    static void* handle_as_data(std::uint64_t word) noexcept { return mpi_t::handle_of<void*>(word); }

    // A callback that was registered before with the same function and data is the same one.
    host_callback* callback_of(host_registration& registration, std::uint64_t word, mpi_t::event_function function,
                               void* user_data) noexcept {
        for (host_callback* each = registration.all_callbacks.load(); each != nullptr; each = each->next)
            if (each->function == function && each->user_data == user_data) return each;
        std::uint64_t own_word = 0;
        host_callback* made = callbacks_.take(own_word);
        if (made == nullptr) return nullptr;
        made->registration = word;
        made->function = function;
        made->user_data = user_data;
        made->word.store(own_word);
        made->next = registration.all_callbacks.load();
        while (!registration.all_callbacks.compare_exchange(made->next, made)) {}
        return made;
    }

    static void on_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety level, void* data);
    static void on_dropped(MPI_Count count, MPI_T_event_registration of_host, int source_index, MPI_T_cb_safety level,
                           void*);
    static void on_end(MPI_T_event_registration, MPI_T_cb_safety level, void* data);

    slot_pool<host_callback> callbacks_{descriptor::handle_tag::host_callback};
};

inline constinit host_events the_host_events;

// The index that tools see of one of the host's sources, after a discovery if it is not known; -1 where the host
// says nothing of it.
inline int source_index_of_host(int host_number) noexcept {
    int found = -1;
    find_or_discover(kind::source,
                     [&] { return (found = the_numbers.list(kind::source).number_of_host(host_number)) >= 0; });
    return found;
}

inline void host_events::on_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety level,
                                  void* data) {
    const host_callback& callback = *static_cast<host_callback*>(data);
    const host_registration& registration = the_host_events.registrations.slot_of(callback.registration);
    const host_instance seen{instance, registration.event.load()};
    safety as_word{};
    if (!mpi_t::safety_of(level, as_word)) as_word = safety::async_signal_safe;
    const internal::instance shown{&channel_of_host, &seen, 0, as_word};
    const internal::shown_instance here{shown};
    callback.function(mpi_t::handle_of<MPI_T_event_instance>(here.word()),
                      mpi_t::handle_of<MPI_T_event_registration>(callback.registration), level, callback.user_data);
}

// The handler is given the data of the callback that would be called at this level, and is not called if there is none.
inline void host_events::on_dropped(MPI_Count count, MPI_T_event_registration of_host, int source_index,
                                    MPI_T_cb_safety level, void*) {
    safety as_word{};
    if (!mpi_t::safety_of(level, as_word)) return;
    the_host_events.registrations.each([&](const host_registration& r, std::uint64_t word) {
        if (r.handle.load() != of_host) return;
        const host_callback* chosen = nullptr;
        for (int i = static_cast<int>(as_word); i < safety_count && chosen == nullptr; i++)
            chosen = r.callbacks[i].load();
        const mpi_t::dropped_function handler = r.dropped.load();
        if (chosen == nullptr || handler == nullptr) return;
        handler(count, mpi_t::handle_of<MPI_T_event_registration>(word), source_index_of_host(source_index), level,
                chosen->user_data);
    });
}

inline void host_events::on_end(MPI_T_event_registration, MPI_T_cb_safety level, void* data) {
    const std::uint64_t word = mpi_t::word_of(data);
    host_registration& ended = the_host_events.registrations.slot_of(word);
    if (const mpi_t::free_function function = ended.freed.load())
        function(mpi_t::handle_of<MPI_T_event_registration>(word), level, ended.data_of_freed.load());
    for (host_callback* each = ended.all_callbacks.load(); each != nullptr;) {
        host_callback& finished = *each;
        const std::uint64_t own_word = finished.word.load();
        each = finished.next;
        finished.word.store(0);
        the_host_events.callbacks_.release(finished, own_word);
    }
    the_host_events.registrations.release(ended, word);
}

} // namespace over_mpi
} // namespace mpit
