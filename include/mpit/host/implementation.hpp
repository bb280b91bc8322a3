// SPDX-License-Identifier: BSD-3-Clause
// Identifies the implementation of an MPI, so that known defects of the implementation can be avoided. The headers of
// MPICH and of Open MPI define macros that identify the implementation. The header of the standard ABI does not
// identify the implementation, because both MPICH and Open MPI implement the ABI. With the header of the ABI, the
// version text of the library identifies the implementation.
//
//   if (implementation_of(&MPI_Get_library_version) == implementation::open_mpi) …
#pragma once

#include <mpit/concurrency/atomic.hpp> // IWYU pragma: keep
#include <mpit/mpi_t/constants.hpp>    // IWYU pragma: keep

#include <cstdint>
#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

enum class implementation : std::uint8_t { unknown, other, mpich, open_mpi };

// Returns the implementation that the header identifies. If the header identifies no implementation, returns the
// implementation named in the version text that the function `get_library_version` returns, and caches the result. The
// function pointer may be null. Any thread may call MPI_Get_library_version at any time.
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
