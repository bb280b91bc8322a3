// Who must not export the names of MPI in C must not do so for Fortran.
// EXPECT: a library that defines MPIT_C_INFO_PREFIX must define MPIT_FORTRAN_PREFIX, too
#define MPIT_C_PREFIX LCI_T_
#include <mpit/mpi_t/fortran.hpp>

int main() {}
