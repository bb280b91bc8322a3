// The functions of the MPI tool information interface, compiled once for all tests that use them as they are. A test
// that needs them otherwise (a prefix, an mpi.h, another atomic, one copy for each shared object) includes
// mpit/mpi_t.hpp itself.
#include <mpit/mpi_t.hpp>
