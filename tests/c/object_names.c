/* Names of communicators and datatypes, as a program in C sets and gets them: what is kept of a text, what predefined and
 * null objects are called, that a duplicate has no name, and what is refused. */
#include <mpi.h>

#include "check.h"

#include <string.h>

/* A buffer is written up to the null, and not behind it. */
static void expect_name(MPI_Comm comm, const char* expected) {
    char name[MPI_MAX_OBJECT_NAME + 1];
    int length = -1;
    memset(name, '?', sizeof name);
    CHECK(MPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS);
    CHECK(length == (int)strlen(expected));
    CHECK(length <= MPI_MAX_OBJECT_NAME - 1);
    CHECK(memcmp(name, expected, strlen(expected) + 1) == 0);
    for (int i = length + 1; i <= MPI_MAX_OBJECT_NAME; ++i) CHECK(name[i] == '?');
}

static void set_name(MPI_Comm comm, const char* name) { CHECK(MPI_Comm_set_name(comm, name) == MPI_SUCCESS); }

static void name_communicators(void) {
    MPI_Comm comm, duplicate;
    expect_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    expect_name(MPI_COMM_SELF, "MPI_COMM_SELF");
    expect_name(MPI_COMM_NULL, "MPI_COMM_NULL");

    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    expect_name(comm, "");
    char own[] = "halo exchange";
    set_name(comm, own);
    memset(own, 'x', sizeof own - 1);
    expect_name(comm, "halo exchange");
    CHECK(MPI_Comm_dup(comm, &duplicate) == MPI_SUCCESS);
    expect_name(duplicate, "");
    set_name(comm, "  ab  ");
    expect_name(comm, "  ab");
    set_name(comm, "");
    expect_name(comm, "");

    char text[301];
    for (int length = 0; length <= 300; ++length) {
        memset(text, 'n', sizeof text);
        text[length] = '\0';
        set_name(comm, text);
        text[length < MPI_MAX_OBJECT_NAME - 1 ? length : MPI_MAX_OBJECT_NAME - 1] = '\0';
        expect_name(comm, text);
    }

    set_name(MPI_COMM_WORLD, "everybody");
    expect_name(MPI_COMM_WORLD, "everybody");
    expect_name(MPI_COMM_SELF, "MPI_COMM_SELF");
    set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");

    /* A freed communicator leaves no name to the next one in its place. */
    for (int i = 0; i < 100; ++i) {
        CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
        CHECK(MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS);
        expect_name(comm, "");
        set_name(comm, "short-lived");
    }
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&duplicate) == MPI_SUCCESS);
}

static void name_datatypes(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    CHECK(MPI_Type_get_name(MPI_WCHAR, name, &length) == MPI_SUCCESS);
    CHECK(strcmp(name, "MPI_WCHAR") == 0 && length == 9);
    CHECK(MPI_Type_get_name(MPI_LONG_LONG, name, &length) == MPI_SUCCESS);
    CHECK(strcmp(name, "MPI_LONG_LONG_INT") == 0);
    CHECK(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length) == MPI_SUCCESS);
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0);
}

static void expect_refusals(void) {
    char name[MPI_MAX_OBJECT_NAME] = "before";
    int length = -1;
    CHECK(MPI_Comm_set_name(MPI_COMM_NULL, "nobody") == MPI_ERR_COMM);
    CHECK(MPI_Comm_set_name(MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
    CHECK(MPI_Comm_get_name(MPI_COMM_WORLD, NULL, &length) == MPI_ERR_ARG);
    CHECK(MPI_Comm_get_name(MPI_COMM_WORLD, name, NULL) == MPI_ERR_ARG);
    CHECK(MPI_Comm_get_name((MPI_Comm)0x7a5f0, name, &length) == MPI_ERR_COMM);
    CHECK(name[0] == '\0' && length == 0);
    CHECK(MPI_Type_get_name(MPI_INT, NULL, &length) == MPI_ERR_ARG);
    expect_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
}

int main(void) {
    CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    name_communicators();
    name_datatypes();
    expect_refusals();
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    return report();
}
