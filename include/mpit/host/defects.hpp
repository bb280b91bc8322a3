// SPDX-License-Identifier: BSD-3-Clause
// Avoids known defects that crash a process in the code of the host MPI (the real MPI below mpit's MPI_T functions).
// Each comment names the MPI version in which the defect was observed. docs/tools.md also lists unavoidable defects.
//
//   if (!has_objects()) …   // no variable can be bound to an object
#pragma once

#include <mpit/core/readable_address.hpp>
#include <mpit/host/functions.hpp>
#include <mpit/host/null_object.hpp>
#include <mpit/host/plugins.hpp> // IWYU pragma: keep

#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

// True after MPI_Finalize of MPICH, when it is too late to initialize the tool interface for the first time. The late
// initialization crashes MPICH 4.0.2 at once, and MPICH 5.0.2 when the process exits.
inline bool is_unsafe_to_initialize(const host_functions& host) noexcept {
    int is_finalized = 0;
    return host.mpi_implementation() == implementation::mpich && host.is_finalized != nullptr &&
           host.is_finalized(&is_finalized) == MPI_SUCCESS && is_finalized != 0;
}

// True if MPI objects, such as communicators, may exist. Open MPI 4.1.4 crashes if a tool binds a variable to a
// communicator before MPI_Init. An MPI before MPI-4.0 has no sessions, so no object exists before MPI_Init.
inline bool has_objects() noexcept {
#if defined(MPI_VERSION) && MPI_VERSION < 4
    int is_initialized = 0, is_finalized = 0;
    if (the_host.is_initialized == nullptr || the_host.is_finalized == nullptr) return true;
    const bool is_known =
        the_host.is_initialized(&is_initialized) == MPI_SUCCESS && the_host.is_finalized(&is_finalized) == MPI_SUCCESS;
    return !is_known || (is_initialized != 0 && is_finalized == 0);
#else
    return true;
#endif
}

// Checks the address of an MPI object handle before the host MPI gets the address. If the variable is bound to no
// object, sets the address to null. For a bound variable, returns false if the address cannot be read, if the handle is
// a null handle such as MPI_COMM_NULL, or if no MPI objects can exist now.
inline bool prepare_object(int bind, void*& object) noexcept {
    if (bind != MPI_T_BIND_NO_OBJECT)
        return core::is_readable(object) && !is_null_object(bind, object) && has_objects();
    object = nullptr;
    return true;
}

// Returns false for a control variable that the host MPI describes but cannot read. For some variables Open MPI 4.1.4
// returns MPI_T_ERR_INVALID_INDEX when a tool allocates a handle or reads the variable.
inline bool is_readable(int host_index) noexcept {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    const int code = the_host.cvar_handle_alloc(host_index, nullptr, &handle, &count);
    if (code != MPI_SUCCESS || count < 0) return code != MPI_T_ERR_INVALID_INDEX;
    const std::size_t size = (static_cast<std::size_t>(count) + 8) * sizeof(long double);
    void* value = std::malloc(size > longest_text ? size : longest_text + 1);
    const bool exists = value == nullptr || the_host.cvar_read(handle, value) != MPI_T_ERR_INVALID_INDEX;
    std::free(value);
    the_host.cvar_handle_free(&handle);
    return exists;
}

} // namespace host
} // namespace mpit
