// SPDX-License-Identifier: BSD-3-Clause
// Events of the MPI in use, for a reader: registrations, and the instances of its callbacks. An MPI before MPI-4.0 has
// none (MPI-5.0, 15.3.8).
//
//   over_mpi::register_callback(registration, safety::none, listener);   // calls listener.happened(instance)
#pragma once

#include <mpit/mpi_t/constants.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// The part of over_mpi for events. For the library's own use.
struct events_over_mpi {
#if !defined(MPI_VERSION) || MPI_VERSION >= 4
    using event_registration = MPI_T_event_registration;
    using event_instance = MPI_T_event_instance;

    MPIT_MODULE_LOCAL static result allocate_event(int number, const void* object,
                                                   event_registration& handle) noexcept {
        return mpi_t::result_of(MPI_T_event_handle_alloc(number, const_cast<void*>(object), MPI_INFO_NULL, &handle));
    }
    template <class Listener>
    MPIT_MODULE_LOCAL static result register_callback(event_registration handle, safety level,
                                                      Listener& listener) noexcept {
        const auto happened = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->happened(instance);
        };
        const auto dropped = [](MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void* data) {
            static_cast<Listener*>(data)->lost(count);
        };
        const int code =
            MPI_T_event_register_callback(handle, mpi_t::constant_of(level), MPI_INFO_NULL, &listener, happened);
        if (code != MPI_SUCCESS) return mpi_t::result_of(code);
        return mpi_t::result_of(MPI_T_event_set_dropped_handler(handle, dropped));
    }
    // The listener is deleted when no callback runs any more.
    template <class Listener>
    MPIT_MODULE_LOCAL static void end_event(event_registration handle, Listener* listener) noexcept {
        const auto freed = [](MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            delete static_cast<Listener*>(data);
        };
        if (MPI_T_event_handle_free(handle, listener, freed) != MPI_SUCCESS) delete listener;
    }
    MPIT_MODULE_LOCAL static result read_element(event_instance instance, int element, void* value) noexcept {
        return mpi_t::result_of(MPI_T_event_read(instance, element, value));
    }
    MPIT_MODULE_LOCAL static result copy_payload(event_instance instance, void* payload) noexcept {
        return mpi_t::result_of(MPI_T_event_copy(instance, payload));
    }
    MPIT_MODULE_LOCAL static result time_of(event_instance instance, std::int64_t& ticks, int& source) noexcept {
        MPI_Count stamp = 0;
        const int code = MPI_T_event_get_timestamp(instance, &stamp);
        ticks = stamp;
        return mpi_t::result_of(code != MPI_SUCCESS ? code : MPI_T_event_get_source(instance, &source));
    }
#else
    using event_registration = void*;
    using event_instance = void*;

    static result allocate_event(int, const void*, event_registration&) noexcept { return result::not_supported; }
    template <class Listener> static result register_callback(event_registration, safety, Listener&) noexcept {
        return result::not_supported;
    }
    template <class Listener> static void end_event(event_registration, Listener* listener) noexcept {
        delete listener;
    }
    static result read_element(event_instance, int, void*) noexcept { return result::not_supported; }
    static result copy_payload(event_instance, void*) noexcept { return result::not_supported; }
    static result time_of(event_instance, std::int64_t&, int&) noexcept { return result::not_supported; }
#endif
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
