// What is known of hosts that would end the process in their own code, and that a roof on top of them can prevent. Each
// stands with the version that it was seen with; the README lists those that cannot be prevented.
//
//   if (is_fatal("mtl_psm2_rx_user_bytes")) …   // not listed
#pragma once

#include <mpit/stack/host.hpp>

#include <cstdlib>
#include <cstring>
#include <link.h>
#include <unistd.h>

namespace mpit::inline v0_1::stack {

// MPICH 4.0.2 crashes where its tool interface is first initialized after MPI_Finalize.
MPIT_MODULE_LOCAL inline bool has_ended_with([[maybe_unused]] const host_functions& host) noexcept {
#ifdef MPICH_VERSION
    int has_ended = 0;
    return host.is_finalized != nullptr && host.is_finalized(&has_ended) == MPI_SUCCESS && has_ended != 0;
#else
    return false;
#endif
}

// Open MPI 4.1.4 crashes where a variable is bound to a communicator before MPI_Init. Before MPI-4.0, which has sessions, no
// object exists then.
MPIT_MODULE_LOCAL inline bool has_objects() noexcept {
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

// Open MPI 4.1.4 crashes where a handle is allocated on a performance variable of its component for Omni-Path on a machine
// without that network.
MPIT_MODULE_LOCAL inline bool is_fatal([[maybe_unused]] const char* performance_variable) noexcept {
#ifdef OPEN_MPI
    constexpr char of_omni_path[] = "mtl_psm2_";
    return std::strncmp(performance_variable, of_omni_path, sizeof of_omni_path - 1) == 0 &&
           access("/dev/hfi1_0", F_OK) != 0;
#else
    return false;
#endif
}

// Open MPI 4.1.4 reads variables of plugins that it has unloaded. What is marked so stays in the address space of the
// process for its life.
MPIT_MODULE_LOCAL inline void keep_plugins() noexcept {
#ifdef OPEN_MPI
    struct list {
        std::size_t length = 0, room = 0;
        char* paths = nullptr; // one after the other, each with its null
    } of_plugins;
    const auto add = [](dl_phdr_info* object, std::size_t, void* to) noexcept {
        auto& all = *static_cast<list*>(to);
        const std::size_t size = std::strlen(object->dlpi_name) + 1;
        if (std::strstr(object->dlpi_name, "/mca_") == nullptr) return 0;
        if (all.length + size <= all.room) std::memcpy(all.paths + all.length, object->dlpi_name, size);
        all.length += size;
        return 0;
    };
    dl_iterate_phdr(add, &of_plugins);
    of_plugins.room = of_plugins.length;
    of_plugins.length = 0;
    of_plugins.paths = static_cast<char*>(std::malloc(of_plugins.room));
    if (of_plugins.paths == nullptr) return;
    dl_iterate_phdr(add, &of_plugins);
    if (of_plugins.length < of_plugins.room) of_plugins.room = of_plugins.length;
    for (std::size_t at = 0; at < of_plugins.room; at += std::strlen(of_plugins.paths + at) + 1)
        if (void* plugin = dlopen(of_plugins.paths + at, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(plugin);
    std::free(of_plugins.paths);
#endif
}

// Open MPI 4.1.4 describes variables that it refuses to read, as the index of one that is gone.
MPIT_MODULE_LOCAL inline bool is_readable(int host_number) noexcept {
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

} // namespace mpit::stack
