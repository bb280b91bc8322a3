// The one file in C++ of 17-declare.c: the functions behind its tables, and those of the interface.
#include <mpit/declare.hpp>
#include <mpit/mpi_t.hpp>
