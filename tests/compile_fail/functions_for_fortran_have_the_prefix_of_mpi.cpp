// Who must not export the names of MPI in C must not do so for Fortran.
// EXPECT: a library with a prefix of its own says MPIT_FORTRAN_PREFIX, too
#define MPIT_C_PREFIX LCI_T_
#include <mpit/mpi_t/fortran.hpp>

int main() {}
