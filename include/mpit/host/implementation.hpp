// SPDX-License-Identifier: BSD-3-Clause
// Identifies the implementation of an MPI, such as MPICH, to avoid its known defects. The mpi.h of MPICH or Open MPI
// defines a macro that identifies the implementation. The mpi.h of the standard ABI identifies no implementation,
// because MPICH and Open MPI both implement the ABI. With an ABI mpi.h, the library's version text identifies the MPI.
//
//   if (implementation_of(&MPI_Get_library_version) == implementation::open_mpi) …
#pragma once

#include <mpit/concurrency/atomic.hpp> // IWYU pragma: keep
#include <mpit/mpi_t/constants.hpp>    // IWYU pragma: keep

#include <cstdint>
#include <cstring>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

enum class implementation : std::uint8_t { unknown, other, mpich, open_mpi };

// The number of characters of the longest text that a tool may read. Open MPI 4.1.4 stores the whole value of a text
// variable, although the count of the handle is always 2048. The longest entry of the environment in Linux has as many
// bytes; a text from a file of Open MPI may be longer.
inline constexpr std::uint32_t longest_text = 128 * 1024;

// Returns the implementation that mpi.h identifies. With the mpi.h of the ABI, returns and caches the implementation
// that the text from `get_library_version` names. The pointer `get_library_version` may be null. The standard allows
// calls of MPI_Get_library_version in any thread at any time.
inline implementation implementation_of([[maybe_unused]] int (*get_library_version)(char*, int*)) noexcept {
#if defined(OPEN_MPI)
    return implementation::open_mpi;
#elif defined(MPICH_VERSION)
    return implementation::mpich;
#elif !defined(MPI_VERSION)
    return implementation::other;
#else
    static constinit core::atomic<implementation> cache{implementation::unknown};
    if (const implementation cached = cache.load(core::relaxed); cached != implementation::unknown) return cached;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (get_library_version == nullptr || get_library_version(text, &length) != MPI_SUCCESS)
        return implementation::other;
    const auto is_from = [&](const char* name) noexcept { return std::strncmp(text, name, std::strlen(name)) == 0; };
    const implementation result = is_from("Open MPI") ? implementation::open_mpi
                                  : is_from("MPICH")  ? implementation::mpich
                                                      : implementation::other;
    cache.store(result, core::relaxed);
    return result;
#endif
}

} // namespace host
} // namespace mpit
