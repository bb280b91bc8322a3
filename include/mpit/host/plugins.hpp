// SPDX-License-Identifier: BSD-3-Clause
// Avoids crashes that known plugins of MPI implementations cause when their variables are read. The header is for
// tools, and for libraries that serve the variables of an MPI together with their own variables.
//
//   if (crashes_on_allocation("mtl_psm2_rx_user_bytes", implementation::open_mpi)) …   // allocate no handle
#pragma once

#include <mpit/host/implementation.hpp>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

// True for a performance variable of the Open MPI component for Omni-Path on a machine without Omni-Path. Open MPI
// 4.1.4 and 6.0.0rc2 crash if a tool allocates a handle on a variable of this component without the hardware.
inline bool crashes_on_allocation(const char* performance_variable, implementation mpi) noexcept {
    constexpr char omni_path_prefix[] = "mtl_psm2_";
    return mpi == implementation::open_mpi &&
           std::strncmp(performance_variable, omni_path_prefix, sizeof omni_path_prefix - 1) == 0 &&
           access("/dev/hfi1_0", F_OK) != 0;
}

// Keeps the plugins of Open MPI in the address space until the process ends (RTLD_NODELETE), because Open MPI 4.1.4
// reads variables of plugins that Open MPI has unloaded.
inline void keep_plugins(implementation mpi) noexcept {
    if (mpi != implementation::open_mpi) return;
    struct path_list {
        std::size_t length = 0, capacity = 0;
        char* paths = nullptr; // paths one after the other, each with a terminating null
    } plugins;
    const auto add = [](dl_phdr_info* object, std::size_t, void* data) noexcept {
        auto& list = *static_cast<path_list*>(data);
        const std::size_t size = std::strlen(object->dlpi_name) + 1;
        if (std::strstr(object->dlpi_name, "/mca_") == nullptr) return 0;
        // Skips a plugin that another thread has opened after the first walk, because there is no room for the path.
        if (list.paths != nullptr && list.length + size > list.capacity) return 0;
        if (list.paths != nullptr) std::memcpy(list.paths + list.length, object->dlpi_name, size);
        list.length += size;
        return 0;
    };
    dl_iterate_phdr(add, &plugins); // computes the total length of the paths
    plugins.capacity = plugins.length;
    plugins.length = 0;
    plugins.paths = static_cast<char*>(std::malloc(plugins.capacity));
    if (plugins.paths == nullptr) return;
    dl_iterate_phdr(add, &plugins);
    for (std::size_t offset = 0; offset < plugins.length; offset += std::strlen(plugins.paths + offset) + 1)
        if (void* plugin = dlopen(plugins.paths + offset, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(plugin);
    std::free(plugins.paths);
}

} // namespace host
} // namespace mpit
