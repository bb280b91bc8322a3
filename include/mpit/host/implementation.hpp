// SPDX-License-Identifier: BSD-3-Clause
// Which implementation an MPI is, for its known defects. The headers of MPICH and of Open MPI say it. The header of the
// standard's binary interface does not, because both serve it: there the library is asked.
//
//   if (implementation_of(&MPI_Get_library_version) == implementation::open_mpi) …
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/mpi_t/constants.hpp>

#include <cstdint>
#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

enum class implementation : std::uint8_t { unknown, other, mpich, open_mpi };

// What the header says; otherwise the library is asked by this function, which may be null, until it has answered once.
// MPI_Get_library_version may be called at any time, by any thread.
inline implementation implementation_of([[maybe_unused]] int (*get_library_version)(char*, int*)) noexcept {
#if defined(OPEN_MPI)
    return implementation::open_mpi;
#elif defined(MPICH_VERSION)
    return implementation::mpich;
#elif !defined(MPI_VERSION)
    return implementation::other;
#else
    static constinit core::atomic<implementation> answered{implementation::unknown};
    if (const implementation known = answered.load(core::relaxed); known != implementation::unknown) return known;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (get_library_version == nullptr || get_library_version(text, &length) != MPI_SUCCESS)
        return implementation::other;
    const auto begins = [&](const char* with) noexcept { return std::strncmp(text, with, std::strlen(with)) == 0; };
    const implementation found = begins("Open MPI") ? implementation::open_mpi
                                 : begins("MPICH")  ? implementation::mpich
                                                    : implementation::other;
    answered.store(found, core::relaxed);
    return found;
#endif
}

} // namespace host
} // namespace mpit
