// The one file in C++ of a library in C.
#include <mpit/declare.hpp>
#include <mpit/mpi_t.hpp>
