// Names of objects that have a constant one (MPI-5.0, 7.8).
#pragma once

#include <mpi.h>

#include <string_view>

namespace mini {

// Fills a caller's buffer of MPI_MAX_OBJECT_NAME characters and returns the length, which the NUL is no part of.
inline int copy_name(std::string_view from, char* into) {
    into[from.copy(into, MPI_MAX_OBJECT_NAME - 1)] = '\0';
    return static_cast<int>(from.size());
}

} // namespace mini
