// SPDX-License-Identifier: BSD-3-Clause
// Known plugins of MPIs whose variables end the process that reads them. Shims on top of such an MPI and tools need the
// list.
//
//   if (is_fatal("mtl_psm2_rx_user_bytes", implementation::open_mpi)) …   // not asked for
#pragma once

#include <mpit/host/implementation.hpp>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

// Open MPI 4.1.4 and 6.0.0rc2 crash where a handle is allocated on a performance variable of their component for
// Omni-Path on a machine without that network.
inline bool is_fatal(const char* performance_variable, implementation of) noexcept {
    constexpr char of_omni_path[] = "mtl_psm2_";
    return of == implementation::open_mpi &&
           std::strncmp(performance_variable, of_omni_path, sizeof of_omni_path - 1) == 0 &&
           access("/dev/hfi1_0", F_OK) != 0;
}

// Open MPI 4.1.4 reads variables of plugins that it has unloaded. A marked plugin stays in the address space until the
// process ends.
inline void keep_plugins(implementation of) noexcept {
    if (of != implementation::open_mpi) return;
    struct list {
        std::size_t length = 0, room = 0;
        char* paths = nullptr; // one after the other, each with its null
    } of_plugins;
    const auto add = [](dl_phdr_info* object, std::size_t, void* data) noexcept {
        auto& all = *static_cast<list*>(data);
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
    for (std::size_t offset = 0; offset < of_plugins.room; offset += std::strlen(of_plugins.paths + offset) + 1)
        if (void* plugin = dlopen(of_plugins.paths + offset, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(plugin);
    std::free(of_plugins.paths);
}

} // namespace host
} // namespace mpit
