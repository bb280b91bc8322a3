/* A library that a user preloads: with it Open MPI has six performance variables, all of class size, as Open MPI 5
 * has. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>

enum { variables = 6 };
static int handle;

int MPI_T_pvar_get_num(int* count) {
    *count = variables;
    return MPI_SUCCESS;
}
int MPI_T_pvar_get_info(int index, char* name, int* name_length, int* verbosity, int* of_class, MPI_Datatype* datatype,
                        MPI_T_enum* items, char* description, int* description_length, int* bind, int* readonly,
                        int* continuous, int* atomic) {
    if (index < 0 || index >= variables) return MPI_T_ERR_INVALID_INDEX;
    const int room = name != NULL && name_length != NULL ? *name_length : 0;
    if (room > 0) snprintf(name, (size_t)room, "size_%d", index);
    if (name_length != NULL) *name_length = sizeof "size_0";
    if (description != NULL && description_length != NULL && *description_length > 0) *description = '\0';
    if (description_length != NULL) *description_length = 1;
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *of_class = MPI_T_PVAR_CLASS_SIZE;
    *datatype = MPI_INT;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    *readonly = *continuous = 1;
    *atomic = 0;
    return MPI_SUCCESS;
}
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* made, int* count) {
    (void)session, (void)index, (void)object;
    *made = (MPI_T_pvar_handle)(void*)&handle;
    *count = 1;
    return MPI_SUCCESS;
}
int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* of) {
    (void)session;
    *of = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle of, void* value) {
    (void)session, (void)of;
    *(int*)value = 1;
    return MPI_SUCCESS;
}
