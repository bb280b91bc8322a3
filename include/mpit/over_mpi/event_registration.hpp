// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8 on top of a host: registrations on events of both. A handle says whose it is.
#pragma once

#include <mpit/over_mpi/event.hpp> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// Calls `with(slot, word)` for a registration on one of the host's events, or `own` for any other handle.
template <class With, class Own>
MPIT_MODULE_LOCAL int with_registration(MPI_T_event_registration handle, With use, Own own) noexcept {
    const std::uint64_t word = mpi_t::word_of(handle);
    if (!host_events::is_registration(word)) return own();
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    host_registration* found = the_host_events.registrations.find(word);
    return found == nullptr ? int{MPI_T_ERR_INVALID_HANDLE} : use(*found, word);
}

MPIT_MODULE_LOCAL inline bool is_level(MPI_T_cb_safety constant) noexcept {
    safety unused{};
    return mpi_t::safety_of(constant, unused);
}

// The sources are known before the first instance, so that a callback need not ask for them where little is allowed.
MPIT_MODULE_LOCAL inline void discover_source_of(const merged_entry& event) noexcept {
    const registry::event_record* own = event.is_of_host ? nullptr : mpi_t::tools().event(event.own_number.load());
    if (own == nullptr || the_numbers.list(kind::source).number_of_own(own->channel.source->number()) < 0)
        the_numbers.discover(kind::source);
}

} // namespace over_mpi
} // namespace mpit

// MPI_T_EVENT_HANDLE_ALLOC(event_index, obj_handle, info, event_registration). A failure sets the registration to null.
MPIT_C_STACKED_FUNCTION(event_handle_alloc, (int event_index, void* obj_handle, MPI_Info info,
                                             MPI_T_event_registration* event_registration)) {
    using namespace mpit::over_mpi;
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (event_registration == nullptr) return MPI_T_ERR_INVALID;
    *event_registration = nullptr;
    const merged_entry* found = entry_at(kind::event, event_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    discover_source_of(*found);
    if (!found->is_of_host)
        return mpit::own::event_handle_alloc(found->own_number.load(), obj_handle, info, event_registration);
    std::uint64_t word = 0;
    const int code =
        the_host_events.allocate(static_cast<const host_event&>(*found), obj_handle, info, word);
    if (code == MPI_SUCCESS) *event_registration = mpit::mpi_t::handle_of<MPI_T_event_registration>(word);
    return code;
}

// MPI_T_EVENT_HANDLE_SET_INFO(event_registration, info)
MPIT_C_STACKED_FUNCTION(event_handle_set_info, (MPI_T_event_registration event_registration, MPI_Info info)) {
    using namespace mpit::over_mpi;
    return with_registration(
        event_registration,
        [&](host_registration& r, std::uint64_t) { return the_host.event_handle_set_info(r.handle.load(), info); },
        [&] { return mpit::own::event_handle_set_info(event_registration, info); });
}

// MPI_T_EVENT_HANDLE_GET_INFO(event_registration, info_used). The info object is new, and the caller frees it.
MPIT_C_STACKED_FUNCTION(event_handle_get_info, (MPI_T_event_registration event_registration, MPI_Info* info_used)) {
    using namespace mpit::over_mpi;
    const auto ask_host = [&](host_registration& r, std::uint64_t) {
        if (info_used == nullptr) return int{MPI_T_ERR_INVALID};
        return take_info(info_used, [&](MPI_Info* made) { return the_host.event_handle_get_info(r.handle.load(), made); });
    };
    if (!can_make(info_used)) return MPI_T_ERR_INVALID;
    return with_registration(event_registration, ask_host,
                             [&] { return mpit::own::event_handle_get_info(event_registration, info_used); });
}

// MPI_T_EVENT_HANDLE_FREE(event_registration, user_data, free_cb_function). The function is called when the host says that
// nothing calls back any more.
MPIT_C_STACKED_FUNCTION(event_handle_free, (MPI_T_event_registration event_registration, void* user_data,
                                            MPI_T_event_free_cb_function free_cb_function)) {
    using namespace mpit::over_mpi;
    return with_registration(
        event_registration,
        [&](host_registration& r, std::uint64_t word) {
            return the_host_events.free(r, word, free_cb_function, user_data);
        },
        [&] { return mpit::own::event_handle_free(event_registration, user_data, free_cb_function); });
}

// MPI_T_EVENT_REGISTER_CALLBACK(event_registration, cb_safety, info, user_data, event_cb_function). A null function removes
// the callback of the level.
MPIT_C_STACKED_FUNCTION(event_register_callback,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
                         void* user_data, MPI_T_event_cb_function event_cb_function)) {
    using namespace mpit::over_mpi;
    return with_registration(
        event_registration,
        [&](host_registration& r, std::uint64_t word) {
            return the_host_events.register_callback(r, word, cb_safety, info, event_cb_function, user_data);
        },
        [&] {
            return mpit::own::event_register_callback(event_registration, cb_safety, info, user_data, event_cb_function);
        });
}

// MPI_T_EVENT_CALLBACK_SET_INFO(event_registration, cb_safety, info)
MPIT_C_STACKED_FUNCTION(event_callback_set_info,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info)) {
    using namespace mpit::over_mpi;
    const auto ask_host = [&](host_registration& r, std::uint64_t) {
        if (!is_level(cb_safety)) return int{MPI_T_ERR_INVALID};
        return the_host.event_callback_set_info(r.handle.load(), cb_safety, info);
    };
    return with_registration(event_registration, ask_host,
                             [&] { return mpit::own::event_callback_set_info(event_registration, cb_safety, info); });
}

// MPI_T_EVENT_CALLBACK_GET_INFO(event_registration, cb_safety, info_used). The info object is new, and the caller frees it.
MPIT_C_STACKED_FUNCTION(event_callback_get_info,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info* info_used)) {
    using namespace mpit::over_mpi;
    const auto ask_host = [&](host_registration& r, std::uint64_t) {
        if (info_used == nullptr || !is_level(cb_safety)) return int{MPI_T_ERR_INVALID};
        return take_info(info_used, [&](MPI_Info* made) {
            return the_host.event_callback_get_info(r.handle.load(), cb_safety, made);
        });
    };
    if (!can_make(info_used)) return MPI_T_ERR_INVALID;
    return with_registration(
        event_registration, ask_host,
        [&] { return mpit::own::event_callback_get_info(event_registration, cb_safety, info_used); });
}

// MPI_T_EVENT_SET_DROPPED_HANDLER(event_registration, dropped_cb_function)
MPIT_C_STACKED_FUNCTION(event_set_dropped_handler, (MPI_T_event_registration event_registration,
                                                    MPI_T_event_dropped_cb_function dropped_cb_function)) {
    using namespace mpit::over_mpi;
    return with_registration(
        event_registration,
        [&](host_registration& r, std::uint64_t) { return the_host_events.set_dropped_handler(r, dropped_cb_function); },
        [&] { return mpit::own::event_set_dropped_handler(event_registration, dropped_cb_function); });
}
