/* The constants of the binary interface (MPI-5.0, chapter 20) for which the runtime has no function: a client that
 * names one compiles, and has the value that every other header of the interface gives it. */
#include <mpi.h>

#include "check.h"

#ifndef MPI_H_ABI
#error "the header is that of the binary interface"
#endif

static const struct {
    const char* name;
    long long value, expected;
} numbers[] = {
#define NUMBER(name, expected) {#name, name, expected}
    NUMBER(MPI_MODE_APPEND, 1),
    NUMBER(MPI_MODE_CREATE, 2),
    NUMBER(MPI_MODE_DELETE_ON_CLOSE, 4),
    NUMBER(MPI_MODE_EXCL, 8),
    NUMBER(MPI_MODE_RDONLY, 16),
    NUMBER(MPI_MODE_RDWR, 32),
    NUMBER(MPI_MODE_SEQUENTIAL, 64),
    NUMBER(MPI_MODE_UNIQUE_OPEN, 128),
    NUMBER(MPI_MODE_WRONLY, 256),
    NUMBER(MPI_SEEK_SET, 401),
    NUMBER(MPI_SEEK_CUR, 402),
    NUMBER(MPI_SEEK_END, 403),
    NUMBER(MPI_DISPLACEMENT_CURRENT, -1),
    NUMBER(MPI_ORDER_C, 12),
    NUMBER(MPI_ORDER_FORTRAN, 15),
    NUMBER(MPI_DISTRIBUTE_NONE, 16),
    NUMBER(MPI_DISTRIBUTE_BLOCK, 17),
    NUMBER(MPI_DISTRIBUTE_CYCLIC, 18),
    NUMBER(MPI_DISTRIBUTE_DFLT_DARG, 19),
    NUMBER(MPI_TYPECLASS_INTEGER, 192),
    NUMBER(MPI_TYPECLASS_REAL, 193),
    NUMBER(MPI_TYPECLASS_COMPLEX, 194),
    NUMBER(MPI_CART, 211),
    NUMBER(MPI_GRAPH, 212),
    NUMBER(MPI_DIST_GRAPH, 213),
    NUMBER(MPI_F_STATUS_SIZE, 8),
    NUMBER(MPI_F_SOURCE, 0),
    NUMBER(MPI_F_TAG, 1),
    NUMBER(MPI_F_ERROR, 2),
};

int main(void) {
    MPI_Comm_errhandler_fn* comm_handler = 0;
    MPI_Win_errhandler_fn* win_handler = 0;
    MPI_File_errhandler_fn* file_handler = 0;
    MPI_Session_errhandler_fn* session_handler = 0;
    MPI_Datarep_extent_function* extent = 0;
    MPI_Grequest_query_function* query = 0;
    MPI_Grequest_free_function* free_request = 0;
    MPI_Grequest_cancel_function* cancel = 0;
    MPI_User_function_c* large = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        round_name = numbers[i].name;
        CHECK(numbers[i].value == numbers[i].expected);
    }
    round_name = "functions";
    CHECK(MPI_NULL_COPY_FN == (MPI_Copy_function*)0 && MPI_DUP_FN == (MPI_Copy_function*)1);
    CHECK(MPI_NULL_DELETE_FN == (MPI_Delete_function*)0);
    CHECK(MPI_CONVERSION_FN_NULL == (MPI_Datarep_conversion_function*)0);
    CHECK(MPI_CONVERSION_FN_NULL_C == (MPI_Datarep_conversion_function_c*)0);
    CHECK(!comm_handler && !win_handler && !file_handler && !session_handler && !extent && !query && !free_request);
    CHECK(!cancel && !large);
    return report();
}
