/* The part in C of names_and_hints.f90: it makes the objects and hands them over as INTEGERs.
 * [NAME-14] A name that Fortran has set reads the same in C, and one that C has set the same in Fortran. */
#include <mpi.h>

#include "../mpi_t/check.h"

#include <string.h>

static char memory[64];

void begin_in_c(MPI_Fint* comm, MPI_Fint* win);
void name_objects_in_c(MPI_Fint comm, MPI_Fint datatype, MPI_Fint win, const char* name);
int names_in_c_are(MPI_Fint comm, MPI_Fint datatype, MPI_Fint win, const char* name);
MPI_Fint hints_from_c(void);
int hint_in_c_is(MPI_Fint info, const char* key, const char* value);
int mistakes_in_c(MPI_Fint comm, MPI_Fint win);

void begin_in_c(MPI_Fint* comm, MPI_Fint* win) {
    MPI_Comm made;
    MPI_Win exposed;
    CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &made) == MPI_SUCCESS);
    CHECK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, made, &exposed) == MPI_SUCCESS);
    *comm = MPI_Comm_c2f(made);
    *win = MPI_Win_c2f(exposed);

    /* What a handle becomes and comes from, in every kind. */
    CHECK(MPI_Comm_f2c(*comm) == made && PMPI_Comm_f2c(PMPI_Comm_c2f(made)) == made);
    CHECK(MPI_Win_f2c(*win) == exposed && PMPI_Win_f2c(PMPI_Win_c2f(exposed)) == exposed);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE_PRECISION)) == MPI_DOUBLE_PRECISION);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_ENV)) == MPI_INFO_ENV);
}

void name_objects_in_c(MPI_Fint comm, MPI_Fint datatype, MPI_Fint win, const char* name) {
    CHECK(MPI_Comm_set_name(MPI_Comm_f2c(comm), name) == MPI_SUCCESS);
    CHECK(MPI_Type_set_name(MPI_Type_f2c(datatype), name) == MPI_SUCCESS);
    CHECK(MPI_Win_set_name(MPI_Win_f2c(win), name) == MPI_SUCCESS);
    printf("C names three objects \"%s\"\n", name);
    fflush(stdout);
}

int names_in_c_are(MPI_Fint comm, MPI_Fint datatype, MPI_Fint win, const char* name) {
    char names[3][MPI_MAX_OBJECT_NAME];
    int lengths[3] = {-1, -1, -1}, equal = 0;
    CHECK(MPI_Comm_get_name(MPI_Comm_f2c(comm), names[0], &lengths[0]) == MPI_SUCCESS);
    CHECK(MPI_Type_get_name(MPI_Type_f2c(datatype), names[1], &lengths[1]) == MPI_SUCCESS);
    CHECK(MPI_Win_get_name(MPI_Win_f2c(win), names[2], &lengths[2]) == MPI_SUCCESS);
    for (int i = 0; i < 3; ++i) equal += strcmp(names[i], name) == 0 && lengths[i] == (int)strlen(name);
    printf("C reads \"%s\"\n", names[0]);
    fflush(stdout);
    return equal == 3;
}

MPI_Fint hints_from_c(void) {
    MPI_Info info;
    CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
    CHECK(MPI_Info_set(info, "buffer_size", "1048576") == MPI_SUCCESS);
    printf("C sets \"buffer_size\" to \"1048576\"\n");
    fflush(stdout);
    return MPI_Info_c2f(info);
}

int hint_in_c_is(MPI_Fint info, const char* key, const char* value) {
    char found[MPI_MAX_INFO_VAL] = "";
    int size = sizeof found, flag = 0;
    CHECK(MPI_Info_get_string(MPI_Info_f2c(info), key, &size, found, &flag) == MPI_SUCCESS);
    printf("C reads \"%s\" for \"%s\"\n", found, key);
    fflush(stdout);
    return flag == 1 && strcmp(found, value) == 0;
}

int mistakes_in_c(MPI_Fint comm, MPI_Fint win) {
    MPI_Comm ended = MPI_Comm_f2c(comm);
    MPI_Win closed = MPI_Win_f2c(win);
    CHECK(MPI_Win_free(&closed) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&ended) == MPI_SUCCESS);
    /* An INTEGER of what is freed is no object's any more. */
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    CHECK(MPI_Comm_get_name(MPI_Comm_f2c(comm), name, &length) == MPI_ERR_COMM);
    CHECK(MPI_Win_get_name(MPI_Win_f2c(win), name, &length) == MPI_ERR_WIN);
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    const int mistakes = report();
    fflush(stdout);
    return mistakes;
}
