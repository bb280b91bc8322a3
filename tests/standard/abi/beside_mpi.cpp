// The same in C++: after a complete mpi.h the header adds nothing, and under the names of MPI it declares what mpi.h
// declares. C++ refuses two functions of one name with C linkage that differ.
// [ABI-05] The 51 functions and their twins have the prototypes of mpi.h in C++.
#include <mpi.h>
#include <mpit/mpi_t.h>

#undef MPIT_C_MPI_T_H
#define MPIT_C_PREFIX MPI_T_
#undef MPIT_C_INFO
#define MPIT_C_INFO 1 /* with the prefix MPI_Info_, which was decided above */
#undef MPIT_C_JOIN
#undef MPIT_C_JOIN_EXPANDED
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include <mpit/mpi_t.h>
#pragma GCC diagnostic pop

#include "values.h"

EVERY_NUMBER(EXPECT_NUMBER)
