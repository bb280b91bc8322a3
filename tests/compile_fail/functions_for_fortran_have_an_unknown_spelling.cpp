// EXPECT: MPIT_FORTRAN_NAMES must be one_underscore, two_underscores, no_underscore, upper_case or all
#define MPIT_FORTRAN_NAMES camel_case
#include <mpit/mpi_t/fortran.hpp>

int main() {}
