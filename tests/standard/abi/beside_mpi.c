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

/* What the runtime has no function for: a client that names it compiles, and has the value of every other header. */
#ifndef MPI_H_ABI
#error "the header is that of the binary interface"
#endif
/* clang-format off */
#define EVERY_OTHER_NUMBER(X) \
    X(MPI_MODE_APPEND, 1) X(MPI_MODE_CREATE, 2) X(MPI_MODE_DELETE_ON_CLOSE, 4) X(MPI_MODE_EXCL, 8) \
    X(MPI_MODE_RDONLY, 16) X(MPI_MODE_RDWR, 32) X(MPI_MODE_SEQUENTIAL, 64) X(MPI_MODE_UNIQUE_OPEN, 128) \
    X(MPI_MODE_WRONLY, 256) \
    X(MPI_SEEK_SET, 401) X(MPI_SEEK_CUR, 402) X(MPI_SEEK_END, 403) \
    X(MPI_DISPLACEMENT_CURRENT, -1) \
    X(MPI_ORDER_C, 12) X(MPI_ORDER_FORTRAN, 15) \
    X(MPI_DISTRIBUTE_NONE, 16) X(MPI_DISTRIBUTE_BLOCK, 17) X(MPI_DISTRIBUTE_CYCLIC, 18) \
    X(MPI_DISTRIBUTE_DFLT_DARG, 19) \
    X(MPI_TYPECLASS_INTEGER, 192) X(MPI_TYPECLASS_REAL, 193) X(MPI_TYPECLASS_COMPLEX, 194) \
    X(MPI_CART, 211) X(MPI_GRAPH, 212) X(MPI_DIST_GRAPH, 213) \
    X(MPI_F_STATUS_SIZE, 8) X(MPI_F_SOURCE, 0) X(MPI_F_TAG, 1) X(MPI_F_ERROR, 2)
/* clang-format on */
EVERY_OTHER_NUMBER(EXPECT_NUMBER)

struct other_functions {
    MPI_Comm_errhandler_fn* comm_handler;
    MPI_Win_errhandler_fn* win_handler;
    MPI_File_errhandler_fn* file_handler;
    MPI_Session_errhandler_fn* session_handler;
    MPI_Datarep_extent_function* extent;
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free_request;
    MPI_Grequest_cancel_function* cancel;
    MPI_User_function_c* large;
};

int wrong_addresses_beside_mpi(void) {
    int wrong = 0;
    EVERY_ADDRESS(COUNT_WRONG_ADDRESS)
    wrong += MPI_NULL_COPY_FN != (MPI_Copy_function*)0 || MPI_DUP_FN != (MPI_Copy_function*)1;
    wrong += MPI_NULL_DELETE_FN != (MPI_Delete_function*)0;
    wrong += MPI_CONVERSION_FN_NULL != (MPI_Datarep_conversion_function*)0;
    wrong += MPI_CONVERSION_FN_NULL_C != (MPI_Datarep_conversion_function_c*)0;
    return wrong;
}
