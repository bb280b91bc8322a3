// SPDX-License-Identifier: BSD-3-Clause
// The host: the MPI whose tool interface comes after ours in the order of symbol look-up, or wherever it was loaded.
// Its functions are found once, by their profiling names; a host may lack any of them, and there may be no host. A
// library that passes calls on to an MPI is never the host.
//
//   if (the_host.cvar_get_num != nullptr) the_host.cvar_get_num(&count);
#pragma once

#include <mpit/host/local_api.hpp>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

struct MPIT_MODULE_LOCAL host_functions {
    decltype(&own::init_thread) init_thread = nullptr;
    decltype(&own::finalize) finalize = nullptr;
    int (*is_initialized)(int*) = nullptr; // of the MPI itself
    int (*is_finalized)(int*) = nullptr;

    decltype(&own::enum_get_info) enum_get_info = nullptr;
    decltype(&own::enum_get_item) enum_get_item = nullptr;

    decltype(&own::cvar_get_num) cvar_get_num = nullptr;
    decltype(&own::cvar_get_info) cvar_get_info = nullptr;
    decltype(&own::cvar_handle_alloc) cvar_handle_alloc = nullptr;
    decltype(&own::cvar_handle_free) cvar_handle_free = nullptr;
    decltype(&own::cvar_read) cvar_read = nullptr;
    decltype(&own::cvar_write) cvar_write = nullptr;

    decltype(&own::pvar_get_num) pvar_get_num = nullptr;
    decltype(&own::pvar_get_info) pvar_get_info = nullptr;
    decltype(&own::pvar_session_create) pvar_session_create = nullptr;
    decltype(&own::pvar_session_free) pvar_session_free = nullptr;
    decltype(&own::pvar_handle_alloc) pvar_handle_alloc = nullptr;
    decltype(&own::pvar_handle_free) pvar_handle_free = nullptr;
    decltype(&own::pvar_start) pvar_start = nullptr;
    decltype(&own::pvar_stop) pvar_stop = nullptr;
    decltype(&own::pvar_read) pvar_read = nullptr;
    decltype(&own::pvar_write) pvar_write = nullptr;
    decltype(&own::pvar_reset) pvar_reset = nullptr;
    decltype(&own::pvar_readreset) pvar_readreset = nullptr;

    decltype(&own::event_get_num) event_get_num = nullptr;
    decltype(&own::event_get_info) event_get_info = nullptr;
    decltype(&own::event_read) event_read = nullptr;
    decltype(&own::event_copy) event_copy = nullptr;
    decltype(&own::event_get_timestamp) event_get_timestamp = nullptr;
    decltype(&own::event_get_source) event_get_source = nullptr;
    decltype(&own::event_handle_alloc) event_handle_alloc = nullptr;
    decltype(&own::event_handle_set_info) event_handle_set_info = nullptr;
    decltype(&own::event_handle_get_info) event_handle_get_info = nullptr;
    decltype(&own::event_handle_free) event_handle_free = nullptr;
    decltype(&own::event_register_callback) event_register_callback = nullptr;
    decltype(&own::event_callback_set_info) event_callback_set_info = nullptr;
    decltype(&own::event_callback_get_info) event_callback_get_info = nullptr;
    decltype(&own::event_set_dropped_handler) event_set_dropped_handler = nullptr;
    decltype(&own::source_get_num) source_get_num = nullptr;
    decltype(&own::source_get_info) source_get_info = nullptr;
    decltype(&own::source_get_timestamp) source_get_timestamp = nullptr;

    decltype(&own::category_get_num) category_get_num = nullptr;
    decltype(&own::category_get_info) category_get_info = nullptr;
    decltype(&own::category_get_cvars) category_get_cvars = nullptr;
    decltype(&own::category_get_pvars) category_get_pvars = nullptr;
    decltype(&own::category_get_categories) category_get_categories = nullptr;
    decltype(&own::category_changed) category_changed = nullptr;
    decltype(&own::category_get_num_events) category_get_num_events = nullptr;
    decltype(&own::category_get_events) category_get_events = nullptr;

    // To be called where an epoch begins: a host that was not there comes perhaps with a plugin. Without both ends of its
    // epochs there is none, and without one of the functions of a group it is not asked for any of that group.
    bool find() noexcept {
        if (is_there()) return true;
        choose();
        take(finalize, "PMPI_T_finalize");
        if (finalize == nullptr) return false;
        take(is_initialized, "PMPI_Initialized");
        take(is_finalized, "PMPI_Finalized");
        take(enum_get_info, "PMPI_T_enum_get_info");
        take(enum_get_item, "PMPI_T_enum_get_item");
        take(cvar_get_num, "PMPI_T_cvar_get_num");
        take(cvar_get_info, "PMPI_T_cvar_get_info");
        take(cvar_handle_alloc, "PMPI_T_cvar_handle_alloc");
        take(cvar_handle_free, "PMPI_T_cvar_handle_free");
        take(cvar_read, "PMPI_T_cvar_read");
        take(cvar_write, "PMPI_T_cvar_write");
        take(pvar_get_num, "PMPI_T_pvar_get_num");
        take(pvar_get_info, "PMPI_T_pvar_get_info");
        take(pvar_session_create, "PMPI_T_pvar_session_create");
        take(pvar_session_free, "PMPI_T_pvar_session_free");
        take(pvar_handle_alloc, "PMPI_T_pvar_handle_alloc");
        take(pvar_handle_free, "PMPI_T_pvar_handle_free");
        take(pvar_start, "PMPI_T_pvar_start");
        take(pvar_stop, "PMPI_T_pvar_stop");
        take(pvar_read, "PMPI_T_pvar_read");
        take(pvar_write, "PMPI_T_pvar_write");
        take(pvar_reset, "PMPI_T_pvar_reset");
        take(pvar_readreset, "PMPI_T_pvar_readreset");
        take(event_get_num, "PMPI_T_event_get_num");
        take(event_get_info, "PMPI_T_event_get_info");
        take(event_read, "PMPI_T_event_read");
        take(event_copy, "PMPI_T_event_copy");
        take(event_get_timestamp, "PMPI_T_event_get_timestamp");
        take(event_get_source, "PMPI_T_event_get_source");
        take(event_handle_alloc, "PMPI_T_event_handle_alloc");
        take(event_handle_set_info, "PMPI_T_event_handle_set_info");
        take(event_handle_get_info, "PMPI_T_event_handle_get_info");
        take(event_handle_free, "PMPI_T_event_handle_free");
        take(event_register_callback, "PMPI_T_event_register_callback");
        take(event_callback_set_info, "PMPI_T_event_callback_set_info");
        take(event_callback_get_info, "PMPI_T_event_callback_get_info");
        take(event_set_dropped_handler, "PMPI_T_event_set_dropped_handler");
        take(source_get_num, "PMPI_T_source_get_num");
        take(source_get_info, "PMPI_T_source_get_info");
        take(source_get_timestamp, "PMPI_T_source_get_timestamp");
        take(category_get_num, "PMPI_T_category_get_num");
        take(category_get_info, "PMPI_T_category_get_info");
        take(category_get_cvars, "PMPI_T_category_get_cvars");
        take(category_get_pvars, "PMPI_T_category_get_pvars");
        take(category_get_categories, "PMPI_T_category_get_categories");
        take(category_changed, "PMPI_T_category_changed");
        take(category_get_num_events, "PMPI_T_category_get_num_events");
        take(category_get_events, "PMPI_T_category_get_events");
        take(init_thread, "PMPI_T_init_thread");
        return is_there();
    }
    bool is_there() const noexcept { return init_thread != nullptr; }
    // Whether its tool interface is initialized: before that it is asked for nothing.
    bool is_open() const noexcept { return is_open_.load() != 0; }
    void open() noexcept { is_open_.store(1); }
    bool has_enumerations() const noexcept { return enum_get_info != nullptr && enum_get_item != nullptr; }
    bool has_controls() const noexcept {
        return cvar_get_num != nullptr && cvar_get_info != nullptr && cvar_handle_alloc != nullptr &&
               cvar_handle_free != nullptr && cvar_read != nullptr && cvar_write != nullptr;
    }
    bool has_performance() const noexcept {
        return pvar_get_num != nullptr && pvar_get_info != nullptr && pvar_session_create != nullptr &&
               pvar_session_free != nullptr && pvar_handle_alloc != nullptr && pvar_handle_free != nullptr &&
               pvar_start != nullptr && pvar_stop != nullptr && pvar_read != nullptr && pvar_write != nullptr &&
               pvar_reset != nullptr && pvar_readreset != nullptr;
    }
    bool has_events() const noexcept {
        return event_get_num != nullptr && event_get_info != nullptr && event_read != nullptr &&
               event_copy != nullptr && event_get_timestamp != nullptr && event_get_source != nullptr &&
               event_handle_alloc != nullptr && event_handle_set_info != nullptr && event_handle_get_info != nullptr &&
               event_handle_free != nullptr && event_register_callback != nullptr &&
               event_callback_set_info != nullptr && event_callback_get_info != nullptr &&
               event_set_dropped_handler != nullptr && has_sources();
    }
    bool has_sources() const noexcept {
        return source_get_num != nullptr && source_get_info != nullptr && source_get_timestamp != nullptr;
    }
    bool has_categories_of_events() const noexcept {
        return has_events() && category_get_num_events != nullptr && category_get_events != nullptr;
    }
    bool has_categories() const noexcept {
        return category_get_num != nullptr && category_get_info != nullptr && category_get_cvars != nullptr &&
               category_get_pvars != nullptr && category_get_categories != nullptr;
    }

private:
    // What stands behind us is the host, a tool on the way to it included, unless it passes calls on: then the MPI itself is,
    // and stays loaded, because its interface is initialized for the life of the process.
    void choose() noexcept {
        void* behind = dlsym(RTLD_NEXT, "PMPI_T_finalize");
        is_behind_ = behind != nullptr && !mpi_.is_in_shims(behind);
        if (!is_behind_ && mpi_.find()) mpi_.hold();
    }
    template <class Function> void take(Function*& function, const char* name) noexcept {
        function = reinterpret_cast<Function*>(is_behind_ ? dlsym(RTLD_NEXT, name) : mpi_.own(name));
    }

    core::atomic<int> is_open_;
    mpi_t::real_mpi mpi_;
    bool is_behind_ = false;
};

MPIT_MODULE_LOCAL inline constinit host_functions the_host;

} // namespace over_mpi
} // namespace mpit
