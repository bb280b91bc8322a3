// The predefined datatypes and their names and sizes; the runtime has no derived ones. Fortran's types are those of the
// common compilers: INTEGER, LOGICAL and REAL take four bytes.
#pragma once

#include "object_name.hpp"

#include <mpi.h>

#include <cstddef>
#include <span>

namespace mini {

struct datatype {
    object_name name;
    MPI_Datatype handle;
    std::size_t size;
};

std::span<const datatype> datatypes();

// Null for anything that is not a datatype.
datatype* find(MPI_Datatype handle) noexcept;

// In bytes; 0 for anything that is not a datatype.
inline std::size_t size_of(MPI_Datatype handle) noexcept {
    const datatype* const found = find(handle);
    return found != nullptr ? found->size : 0;
}

inline int check_datatype(MPI_Datatype handle) { return size_of(handle) != 0 ? MPI_SUCCESS : MPI_ERR_TYPE; }

// The bytes that a count of elements takes, once both have been checked.
inline std::size_t bytes_of(int count, MPI_Datatype handle) {
    return static_cast<std::size_t>(count) * size_of(handle);
}

} // namespace mini
