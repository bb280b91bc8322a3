/* Control variables by their names, for tests in C: their index, a handle, and one read or write with a handle of
 * its own.
 *
 *   CHECK(read_of("MY_LIMIT", &value) == MPI_SUCCESS);   CHECK(write_of("MY_LIMIT", &value) == MPI_T_ERR_INVALID); */
#ifndef TESTS_C_CONTROL_VARIABLES_H
#define TESTS_C_CONTROL_VARIABLES_H

#include "check.h"

#include <mpit/mpi_t.h>

/* -1 if there is none. */
static inline int index_of(const char* name) {
    int index = -1;
    return MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS ? index : -1;
}
static inline MPI_T_cvar_handle handle_of(const char* name) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    CHECK(MPI_T_cvar_handle_alloc(index_of(name), NULL, &handle, &count) == MPI_SUCCESS);
    return handle;
}
static inline int read_of(const char* name, void* value) {
    MPI_T_cvar_handle handle = handle_of(name);
    const int code = MPI_T_cvar_read(handle, value);
    MPI_T_cvar_handle_free(&handle);
    return code;
}
static inline int write_of(const char* name, const void* value) {
    MPI_T_cvar_handle handle = handle_of(name);
    const int code = MPI_T_cvar_write(handle, value);
    MPI_T_cvar_handle_free(&handle);
    return code;
}

#endif
