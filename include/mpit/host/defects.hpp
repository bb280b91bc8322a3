// SPDX-License-Identifier: BSD-3-Clause
// Known defects of hosts that end the process in the host's own code, and that shims on top can avoid. Each names the
// version that it was seen with; docs/tools.md lists those that cannot be avoided.
//
//   if (!has_objects()) …   // nothing can be bound
#pragma once

#include <mpit/core/readable_address.hpp>
#include <mpit/host/functions.hpp>
#include <mpit/host/null_object.hpp>
#include <mpit/host/plugins.hpp> // IWYU pragma: keep

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

// MPICH 4.0.2 crashes where its tool interface is first initialized after MPI_Finalize, and MPICH 5.0.2 at exit then.
inline bool has_ended_with(const host_functions& host) noexcept {
    int has_ended = 0;
    return host.which() == implementation::mpich && host.is_finalized != nullptr &&
           host.is_finalized(&has_ended) == MPI_SUCCESS && has_ended != 0;
}

// Open MPI 4.1.4 crashes where a variable is bound to a communicator before MPI_Init. Before MPI-4.0, which has
// sessions, no object exists then.
inline bool has_objects() noexcept {
#if defined(MPI_VERSION) && MPI_VERSION < 4
    int has_begun = 0, has_ended = 0;
    if (the_host.is_initialized == nullptr || the_host.is_finalized == nullptr) return true;
    const bool is_known =
        the_host.is_initialized(&has_begun) == MPI_SUCCESS && the_host.is_finalized(&has_ended) == MPI_SUCCESS;
    return !is_known || (has_begun != 0 && has_ended == 0);
#else
    return true;
#endif
}

// Prepares an object handle for the host: null for an unbound variable. False if its address cannot be read, or if it
// is null.
inline bool takes_object(int bind, void*& object) noexcept {
    if (bind != MPI_T_BIND_NO_OBJECT)
        return core::is_readable(object) && !is_null_object(bind, object) && has_objects();
    object = nullptr;
    return true;
}

// Open MPI 4.1.4 describes variables that it refuses to read, as the index of one that no longer exists.
inline bool is_readable(int host_number) noexcept {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    const int code = the_host.cvar_handle_alloc(host_number, nullptr, &handle, &count);
    if (code != MPI_SUCCESS || count < 0) return code != MPI_T_ERR_INVALID_INDEX;
    const std::size_t room = (static_cast<std::size_t>(count) + 8) * sizeof(long double);
    void* value = std::malloc(room);
    const bool is_there = value == nullptr || the_host.cvar_read(handle, value) != MPI_T_ERR_INVALID_INDEX;
    std::free(value);
    the_host.cvar_handle_free(&handle);
    return is_there;
}

} // namespace host
} // namespace mpit
