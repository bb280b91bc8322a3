// SPDX-License-Identifier: BSD-3-Clause
// The host: the MPI whose tool interface comes after ours in the order of symbol look-up, or wherever it was loaded.
// Its functions are found once, by their profiling names; a host may lack any of them, and there may be no host. A
// library that passes calls on to an MPI is never the host.
//
//   if (the_host.cvar_get_num != nullptr) the_host.cvar_get_num(&count);
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/host/local_api.hpp>
#include <mpit/mpi_t/real_mpi.hpp>

// The functions of a group are used together or not at all.
// clang-format off
#define MPIT_HOST_ENUMERATION_FUNCTIONS(use) \
    use(enum_get_info) use(enum_get_item)
#define MPIT_HOST_CONTROL_FUNCTIONS(use) \
    use(cvar_get_num) use(cvar_get_info) use(cvar_handle_alloc) use(cvar_handle_free) use(cvar_read) use(cvar_write)
#define MPIT_HOST_PERFORMANCE_FUNCTIONS(use) \
    use(pvar_get_num) use(pvar_get_info) use(pvar_session_create) use(pvar_session_free) use(pvar_handle_alloc) \
    use(pvar_handle_free) use(pvar_start) use(pvar_stop) use(pvar_read) use(pvar_write) use(pvar_reset) \
    use(pvar_readreset)
#define MPIT_HOST_EVENT_FUNCTIONS(use) \
    use(event_get_num) use(event_get_info) use(event_read) use(event_copy) use(event_get_timestamp) \
    use(event_get_source) use(event_handle_alloc) use(event_handle_set_info) use(event_handle_get_info) \
    use(event_handle_free) use(event_register_callback) use(event_callback_set_info) use(event_callback_get_info) \
    use(event_set_dropped_handler)
#define MPIT_HOST_SOURCE_FUNCTIONS(use) \
    use(source_get_num) use(source_get_info) use(source_get_timestamp)
#define MPIT_HOST_CATEGORY_FUNCTIONS(use) \
    use(category_get_num) use(category_get_info) use(category_get_cvars) use(category_get_pvars) \
    use(category_get_categories)
#define MPIT_HOST_CATEGORY_EVENT_FUNCTIONS(use) \
    use(category_get_num_events) use(category_get_events)
#define MPIT_HOST_FUNCTIONS(use) \
    MPIT_HOST_ENUMERATION_FUNCTIONS(use) MPIT_HOST_CONTROL_FUNCTIONS(use) MPIT_HOST_PERFORMANCE_FUNCTIONS(use) \
    MPIT_HOST_EVENT_FUNCTIONS(use) MPIT_HOST_SOURCE_FUNCTIONS(use) MPIT_HOST_CATEGORY_FUNCTIONS(use) \
    MPIT_HOST_CATEGORY_EVENT_FUNCTIONS(use) use(category_changed)
// clang-format on

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

struct MPIT_MODULE_LOCAL host_functions {
    decltype(&own::init_thread) init_thread = nullptr;
    decltype(&own::finalize) finalize = nullptr;
    int (*is_initialized)(int*) = nullptr; // of the MPI itself
    int (*is_finalized)(int*) = nullptr;
    int (*query_thread)(int*) = nullptr;
    int (*get_library_version)(char*, int*) = nullptr;
#define MPIT_HOST_MEMBER(name) decltype(&own::name) name = nullptr;
    MPIT_HOST_FUNCTIONS(MPIT_HOST_MEMBER)
#undef MPIT_HOST_MEMBER

    // To be called where an epoch begins: a host may have been loaded since, with a plugin. A host without init_thread or finalize
    // is not a host, and a host that lacks a function of a group is not asked for any of that group.
    bool find() noexcept {
        if (is_there()) return true;
        choose();
        take(finalize, "PMPI_T_finalize");
        if (finalize == nullptr) return false;
        take(is_initialized, "PMPI_Initialized");
        take(is_finalized, "PMPI_Finalized");
        take(query_thread, "PMPI_Query_thread");
        take(get_library_version, "PMPI_Get_library_version");
#define MPIT_HOST_TAKE(name) take(name, "PMPI_T_" #name);
        MPIT_HOST_FUNCTIONS(MPIT_HOST_TAKE)
#undef MPIT_HOST_TAKE
        take(init_thread, "PMPI_T_init_thread");
        return is_there();
    }
    bool is_there() const noexcept { return init_thread != nullptr; }
    implementation which() const noexcept { return implementation_of(get_library_version); }
    // Whether its tool interface is initialized: before that it is asked for nothing.
    bool is_open() const noexcept { return is_open_.load() != 0; }
    void open() noexcept { is_open_.store(1); }
#define MPIT_HOST_HAS(name) &&name != nullptr
    bool has_enumerations() const noexcept { return true MPIT_HOST_ENUMERATION_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_controls() const noexcept { return true MPIT_HOST_CONTROL_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_performance() const noexcept { return true MPIT_HOST_PERFORMANCE_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_events() const noexcept { return has_sources() MPIT_HOST_EVENT_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_sources() const noexcept { return true MPIT_HOST_SOURCE_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_categories() const noexcept { return true MPIT_HOST_CATEGORY_FUNCTIONS(MPIT_HOST_HAS); }
    bool has_categories_of_events() const noexcept {
        return has_events() MPIT_HOST_CATEGORY_EVENT_FUNCTIONS(MPIT_HOST_HAS);
    }
#undef MPIT_HOST_HAS

private:
    // The next definition in the order of the linker is the host, or a tool in front of it, unless it passes calls on:
    // then the MPI itself is, and stays loaded, because its interface is initialized for the life of the process.
    void choose() noexcept {
        void* next = dlsym(RTLD_NEXT, "PMPI_T_finalize");
        is_behind_ = next != nullptr && !mpi_.is_in_shims(next);
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

#undef MPIT_HOST_ENUMERATION_FUNCTIONS
#undef MPIT_HOST_CONTROL_FUNCTIONS
#undef MPIT_HOST_PERFORMANCE_FUNCTIONS
#undef MPIT_HOST_EVENT_FUNCTIONS
#undef MPIT_HOST_SOURCE_FUNCTIONS
#undef MPIT_HOST_CATEGORY_FUNCTIONS
#undef MPIT_HOST_CATEGORY_EVENT_FUNCTIONS
#undef MPIT_HOST_FUNCTIONS
