/* The header after a complete mpi.h adds nothing that the other has. With the names of MPI as the prefix it declares
 * the functions once more, and a C compiler takes two declarations only where they are the same. */
/* [ABI-05] The 51 functions and their twins have the prototypes of mpi.h in C. */
#include <mpi.h>
#include <mpit/mpi_t.h>

#pragma GCC diagnostic ignored "-Wredundant-decls"
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

int wrong_addresses_beside_mpi(void) {
    int wrong = 0;
    EVERY_ADDRESS(COUNT_WRONG_ADDRESS)
    return wrong;
}
