// SPDX-License-Identifier: BSD-3-Clause
// The host MPI is the real MPI whose variables tools see together with the variables in mpit's registry. The host MPI
// is the next MPI after this shared object in the order of symbol look-up, or else any other loaded MPI. mpit looks up
// each function of the host MPI once, by the profiling name. A process may have no host MPI, and the host MPI may lack
// any function. A library that only forwards calls to an MPI is never the host MPI.
//
//   if (the_host.cvar_get_num != nullptr) the_host.cvar_get_num(&count);
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

// Groups of MPI_T functions. If the host MPI lacks one function of a group, mpit calls no function of the group.
enum class function_group : std::uint8_t {
    epochs,
    enumerations,
    controls,
    performances,
    events,
    sources,
    categories,
    categories_of_events,
    indices, // not used, because mpit looks up the index of a name
    changes
};

struct host_functions {
    int (*is_initialized)(int*) = nullptr; // MPI_Initialized
    int (*is_finalized)(int*) = nullptr;   // MPI_Finalized
    int (*query_thread)(int*) = nullptr;
    int (*get_library_version)(char*, int*) = nullptr;
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) int(*name) parameters = nullptr;
#include <mpit/mpi_t/functions.def>

    // Looks for a host MPI. Must be called whenever the interface is initialized, because a plugin may have loaded a
    // host MPI after the last call. An MPI without MPI_T_init_thread or MPI_T_finalize is not accepted as the host MPI.
    bool find() noexcept {
        if (is_found()) return true;
        select();
        look_up(finalize, "PMPI_T_finalize");
        if (finalize == nullptr) return false;
        look_up(is_initialized, "PMPI_Initialized");
        look_up(is_finalized, "PMPI_Finalized");
        look_up(query_thread, "PMPI_Query_thread");
        look_up(get_library_version, "PMPI_Get_library_version");
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    if constexpr (function_group::group != function_group::epochs && function_group::group != function_group::indices) \
        look_up(name, "PMPI_T_" #name);
#include <mpit/mpi_t/functions.def>
        look_up(init_thread, "PMPI_T_init_thread");
        return is_found();
    }
    bool is_found() const noexcept { return init_thread != nullptr; }
    implementation mpi_implementation() const noexcept { return implementation_of(get_library_version); }
    // True if mpit has initialized the tool interface of the host MPI. Before the initialization, mpit calls only
    // MPI_T_init_thread of the host's tool interface.
    bool is_open() const noexcept { return is_open_.load() != 0; }
    void open() noexcept { is_open_.store(1); }
    // True if the host MPI has all functions of a group. The group `events` also needs the group `sources`.
    bool has(function_group required) const noexcept {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    if (function_group::group == required && name == nullptr) return false;
#include <mpit/mpi_t/functions.def>
        if (required == function_group::categories_of_events) return has(function_group::events);
        return required != function_group::events || has(function_group::sources);
    }

private:
    // Selects the library from which mpit looks up the host's functions. Prefers the library with the next definition
    // (RTLD_NEXT), which is the host MPI or a tool that wraps the host MPI. If the next definition only forwards calls,
    // selects the real MPI. The real MPI stays loaded, because its tool interface stays initialized.
    void select() noexcept {
        void* next = dlsym(RTLD_NEXT, "PMPI_T_finalize");
        uses_next_ = next != nullptr && !mpi_.is_in_shims(next);
        if (!uses_next_ && mpi_.find()) mpi_.keep_loaded();
    }
    template <class Function> void look_up(Function*& function, const char* name) noexcept {
        function = reinterpret_cast<Function*>(uses_next_ ? dlsym(RTLD_NEXT, name) : mpi_.mpi_function(name));
    }

    core::atomic<int> is_open_;
    mpi_t::real_mpi mpi_;
    bool uses_next_ = false;
};

inline constinit host_functions the_host;

} // namespace host
} // namespace mpit
