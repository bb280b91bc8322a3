// Hints that functions of the runtime take and give: the info objects behind them are mpit's, in tool_interface.cpp.
#pragma once

#include <mpi.h>

namespace mini {

// MPI_INFO_NULL is valid wherever hints are optional.
int check_hints(MPI_Info hints);

// A fresh object without hints, which its receiver frees. `hints` is unchanged if memory cannot be allocated.
int create_hints(MPI_Info* hints);

} // namespace mini
