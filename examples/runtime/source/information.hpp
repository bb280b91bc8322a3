// Info objects: texts by key, in the order in which the keys came. MPI_INFO_ENV is one that nobody can change.
#pragma once

#include <mpi.h>

namespace mini {

// A fresh object that its receiver frees; MPI_INFO_NULL when there is no room for one.
MPI_Info new_information();

// MPI_INFO_NULL is valid wherever hints are optional.
int check_hints(MPI_Info hints);

} // namespace mini
