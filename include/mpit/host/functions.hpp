// SPDX-License-Identifier: BSD-3-Clause
// The host: the MPI whose tool interface comes after ours in the order of symbol look-up, or wherever it was loaded.
// Its functions are found once, by their profiling names; a host may lack any of them, and there may be no host. A
// library that passes calls on to an MPI is never the host.
//
//   if (the_host.cvar_get_num != nullptr) the_host.cvar_get_num(&count);
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/mpi_t/constants.hpp>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

// The groups of the table of functions. If a host lacks one function of a group, none of the group is called.
enum class function_group : std::uint8_t {
    epochs,
    enumerations,
    controls,
    performances,
    events,
    sources,
    categories,
    categories_of_events,
    indices, // not searched for: names are looked up here
    changes
};

struct host_functions {
    int (*is_initialized)(int*) = nullptr; // of the MPI itself
    int (*is_finalized)(int*) = nullptr;
    int (*query_thread)(int*) = nullptr;
    int (*get_library_version)(char*, int*) = nullptr;
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) int(*name) parameters = nullptr;
#include <mpit/mpi_t/functions.def>

    // To be called where an epoch begins: a host may have been loaded since, with a plugin. A host without init_thread
    // or finalize is not a host.
    bool find() noexcept {
        if (is_there()) return true;
        choose();
        take(finalize, "PMPI_T_finalize");
        if (finalize == nullptr) return false;
        take(is_initialized, "PMPI_Initialized");
        take(is_finalized, "PMPI_Finalized");
        take(query_thread, "PMPI_Query_thread");
        take(get_library_version, "PMPI_Get_library_version");
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    if constexpr (function_group::group != function_group::epochs && function_group::group != function_group::indices) \
        take(name, "PMPI_T_" #name);
#include <mpit/mpi_t/functions.def>
        take(init_thread, "PMPI_T_init_thread");
        return is_there();
    }
    bool is_there() const noexcept { return init_thread != nullptr; }
    implementation which() const noexcept { return implementation_of(get_library_version); }
    // Whether its tool interface is initialized: before that it is asked for nothing.
    bool is_open() const noexcept { return is_open_.load() != 0; }
    void open() noexcept { is_open_.store(1); }
    // Whether it has all functions of a group. Events have sources.
    bool has(function_group wanted) const noexcept {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    if (function_group::group == wanted && name == nullptr) return false;
#include <mpit/mpi_t/functions.def>
        if (wanted == function_group::categories_of_events) return has(function_group::events);
        return wanted != function_group::events || has(function_group::sources);
    }

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

inline constinit host_functions the_host;

} // namespace host
} // namespace mpit
