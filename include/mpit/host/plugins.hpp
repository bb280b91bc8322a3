// SPDX-License-Identifier: BSD-3-Clause
// Known plugins of MPIs whose variables end the process that reads them. Shims on top of such an MPI and tools need the
// list.
//
//   if (is_fatal("mtl_psm2_rx_user_bytes")) …   // not asked for
#pragma once

#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep

#include <cstdlib>
#include <cstring>
#include <dlfcn.h> // IWYU pragma: keep
#include <link.h> // IWYU pragma: keep
#include <unistd.h> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

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

// Open MPI 4.1.4 reads variables of plugins that it has unloaded. A marked plugin stays in the address space until the
// process ends.
MPIT_MODULE_LOCAL inline void keep_plugins() noexcept {
#ifdef OPEN_MPI
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
#endif
}

} // namespace over_mpi
} // namespace mpit
