/* Performance variables by their names and classes, for tests in C, and the tool that looks at them.
 *
 *   begin_tool();   MPI_T_pvar_session session = begin_session();
 *   MPI_T_pvar_handle sent = measured(session, "my_sent", MPI_T_PVAR_CLASS_COUNTER, NULL, 1); */
#ifndef TESTS_C_PERFORMANCE_VARIABLES_H
#define TESTS_C_PERFORMANCE_VARIABLES_H

#include "check.h"

#include <mpit/mpi_t.h>

static inline void begin_tool(void) {
    int provided = 0;
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
}
static inline MPI_T_pvar_session begin_session(void) {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    return session;
}
static inline int pvar_index_of(const char* name, int of_class) {
    int index = -1;
    CHECK(MPI_T_pvar_get_index(name, of_class, &index) == MPI_SUCCESS);
    return index;
}
/* A handle, on an object or on NULL, that has so many elements. */
static inline MPI_T_pvar_handle measured(MPI_T_pvar_session session, const char* name, int of_class, void* object,
                                         int elements) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = 0;
    CHECK(MPI_T_pvar_handle_alloc(session, pvar_index_of(name, of_class), object, &handle, &count) == MPI_SUCCESS &&
          count == elements);
    return handle;
}

#endif
