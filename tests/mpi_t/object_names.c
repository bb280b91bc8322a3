/* Names of communicators, datatypes and windows, as a program in C sets and gets them: what is kept of a text, what
 * predefined and null objects are called, that a duplicate has no name, and what is refused. */
#include <mpi.h>

#include "check.h"

#include <string.h>

/* One object of any of the three kinds. */
struct object {
    enum { communicator, datatype, window } kind;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Win win;
};

static struct object of_comm(MPI_Comm comm) { return (struct object){communicator, comm, NULL, NULL}; }
static struct object of_type(MPI_Datatype type) { return (struct object){datatype, NULL, type, NULL}; }
static struct object of_win(MPI_Win win) { return (struct object){window, NULL, NULL, win}; }

static int set_name(struct object of, const char* name) {
    if (of.kind == communicator) return MPI_Comm_set_name(of.comm, name);
    return of.kind == datatype ? MPI_Type_set_name(of.type, name) : MPI_Win_set_name(of.win, name);
}
static int get_name(struct object of, char* name, int* length) {
    if (of.kind == communicator) return MPI_Comm_get_name(of.comm, name, length);
    return of.kind == datatype ? MPI_Type_get_name(of.type, name, length) : MPI_Win_get_name(of.win, name, length);
}

/* [NAME-05] The length comes back without the null, which stands behind the name, and nothing is written behind
 * that. */
static void expect_name(struct object of, const char* expected) {
    char name[MPI_MAX_OBJECT_NAME + 1];
    int length = -1;
    memset(name, '?', sizeof name);
    CHECK(get_name(of, name, &length) == MPI_SUCCESS);
    CHECK(length == (int)strlen(expected));
    CHECK(length <= MPI_MAX_OBJECT_NAME - 1);
    CHECK(memcmp(name, expected, strlen(expected) + 1) == 0);
    for (int i = length + 1; i <= MPI_MAX_OBJECT_NAME; ++i) CHECK(name[i] == '?');
}
static void rename_to(struct object of, const char* name, const char* expected) {
    CHECK(set_name(of, name) == MPI_SUCCESS);
    expect_name(of, expected);
}

static void name_any(struct object of) {
    /* [NAME-01] The name is a copy of the caller's text. */
    char own[] = "halo exchange";
    CHECK(set_name(of, own) == MPI_SUCCESS);
    memset(own, 'x', sizeof own - 1);
    expect_name(of, "halo exchange");

    /* [NAME-04] Leading blanks are part of a name, trailing ones are not, also where it was cut. */
    rename_to(of, "  ab  ", "  ab");
    rename_to(of, "     ", "");

    /* [NAME-03] A name that is too long is cut to MPI_MAX_OBJECT_NAME-1 characters without an error. */
    char text[301], cut[301];
    for (int length = 0; length <= 300; ++length) {
        memset(text, 'n', sizeof text);
        text[length] = '\0';
        strcpy(cut, text);
        cut[length < MPI_MAX_OBJECT_NAME - 1 ? length : MPI_MAX_OBJECT_NAME - 1] = '\0';
        rename_to(of, text, cut);
    }
    memset(text, ' ', sizeof text);
    text[0] = 'b', text[300] = '\0';
    rename_to(of, text, "b");

    /* [NAME-13] A name or a length that is not there is an error of the argument, and changes nothing. */
    char name[MPI_MAX_OBJECT_NAME] = "before";
    int length = -1;
    CHECK(set_name(of, NULL) == MPI_ERR_ARG);
    CHECK(get_name(of, NULL, &length) == MPI_ERR_ARG && length == -1);
    CHECK(get_name(of, name, NULL) == MPI_ERR_ARG && strcmp(name, "before") == 0);
    expect_name(of, "b");
    rename_to(of, "", "");
}

/* [NAME-06] What is no object answers the error of its kind, and the empty name. */
static void expect_no_object(struct object of, int code) {
    char name[MPI_MAX_OBJECT_NAME] = "before";
    int length = -1;
    CHECK(set_name(of, "nobody") == code);
    CHECK(get_name(of, name, &length) == code);
    CHECK(name[0] == '\0' && length == 0);
}
/* [NAME-08] A null handle answers the name of its own constant, and can get no other one. */
static void expect_null(struct object of, const char* name, int code) {
    expect_name(of, name);
    CHECK(set_name(of, "nobody") == code);
    expect_name(of, name);
}

static void name_communicators(void) {
    MPI_Comm comm, duplicate;
    /* [NAME-02] A predefined object has a default name until it is set. */
    expect_name(of_comm(MPI_COMM_WORLD), "MPI_COMM_WORLD");
    expect_name(of_comm(MPI_COMM_SELF), "MPI_COMM_SELF");
    rename_to(of_comm(MPI_COMM_WORLD), "everybody", "everybody");
    expect_name(of_comm(MPI_COMM_SELF), "MPI_COMM_SELF");
    rename_to(of_comm(MPI_COMM_WORLD), "MPI_COMM_WORLD", "MPI_COMM_WORLD");
    rename_to(of_type(MPI_INT), "an int", "an int");
    rename_to(of_type(MPI_INT), "MPI_INT", "MPI_INT");

    /* [NAME-11] A duplicate has no name. */
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    expect_name(of_comm(comm), "");
    name_any(of_comm(comm));
    rename_to(of_comm(comm), "the first", "the first");
    CHECK(MPI_Comm_dup(comm, &duplicate) == MPI_SUCCESS);
    expect_name(of_comm(duplicate), "");

    /* [NAME-12] A name has no effect on messages. */
    int sent = 4711, received = 0;
    MPI_Request request;
    CHECK(MPI_Isend(&sent, 1, MPI_INT, 0, 5, comm, &request) == MPI_SUCCESS);
    rename_to(of_comm(comm), "another name", "another name");
    CHECK(MPI_Recv(&received, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS && received == 4711);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);

    /* A freed communicator leaves no name to the next one in its place. */
    for (int i = 0; i < 100; ++i) {
        const MPI_Comm freed = comm;
        CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
        expect_no_object(of_comm(freed), MPI_ERR_COMM);
        CHECK(MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS);
        expect_name(of_comm(comm), "");
        rename_to(of_comm(comm), "short-lived", "short-lived");
    }
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&duplicate) == MPI_SUCCESS);
}

/* Where the characters of a name are in what an event tells, and the last name that it has told. */
static MPI_Aint place_of_name = -1;
static int times_told;
static char told[1024];

static void on_named(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void* user_data) {
    char payload[sizeof told + 64] = "";
    (void)registration, (void)safety, (void)user_data;
    ++times_told;
    CHECK(MPI_T_event_copy(instance, payload) == MPI_SUCCESS);
    strcpy(told, payload + place_of_name);
}
/* What hears of a name is told it as it is stored, and not the caller's text. */
static void hear_of_names(void) {
    enum { most_elements = 300 };
    static MPI_Datatype types[most_elements];
    static MPI_Aint places[most_elements];
    MPI_T_event_registration registration;
    MPI_Comm comm;
    int provided, index = -1, count = most_elements;
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    CHECK(MPI_T_event_get_index("communicator_named", &index) == MPI_SUCCESS);
    CHECK(MPI_T_event_get_info(index, NULL, NULL, NULL, types, places, &count, NULL, NULL, NULL, NULL, NULL) ==
          MPI_SUCCESS);
    for (int i = count - 1; i >= 0; --i)
        if (types[i] == MPI_CHAR) place_of_name = places[i];
    CHECK(place_of_name > 0);
    CHECK(MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_alloc(index, &comm, MPI_INFO_NULL, &registration) == MPI_SUCCESS);
    CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, on_named) ==
          MPI_SUCCESS);

    static const int lengths[] = {
        0, 5, 30, 31, 32, MPI_MAX_OBJECT_NAME - 2, MPI_MAX_OBJECT_NAME - 1, MPI_MAX_OBJECT_NAME, 300};
    for (int l = 0; l < (int)(sizeof lengths / sizeof *lengths); ++l)
        for (int blanks = 0; blanks < 3; ++blanks) {
            char text[310], stored[MPI_MAX_OBJECT_NAME];
            int length = 0;
            memset(text, 'n', sizeof text);
            memset(text + lengths[l], ' ', (size_t)blanks);
            text[lengths[l] + blanks] = '\0';
            if (blanks == 2 && lengths[l] >= MPI_MAX_OBJECT_NAME) text[MPI_MAX_OBJECT_NAME - 2] = ' ';
            times_told = 0;
            CHECK(MPI_Comm_set_name(comm, text) == MPI_SUCCESS);
            CHECK(MPI_Comm_get_name(comm, stored, &length) == MPI_SUCCESS);
            CHECK(times_told == 1);
            CHECK(strcmp(told, stored) == 0);
        }
    times_told = 0;
    CHECK(MPI_Comm_set_name(comm, NULL) == MPI_ERR_ARG);
    CHECK(times_told == 0);
    CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}

static void name_windows(void) {
    MPI_Win win;
    char memory[64];
    for (int i = 0; i < 3; ++i) {
        CHECK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win) == MPI_SUCCESS);
        expect_name(of_win(win), "");
        name_any(of_win(win));
        rename_to(of_win(win), "ghost cells", "ghost cells");
        CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
    }
}

/* [NAME-09] Each predefined datatype has the name of its constant. */
/* [NAME-10] Of two constants for one datatype, the name is MPI_LONG_LONG_INT and MPI_C_COMPLEX. */
static void expect_names_of_datatypes(void) {
#define NAMED(type) {type, #type}
    static const struct {
        MPI_Datatype type;
        const char* name;
    } all[] = {
        NAMED(MPI_AINT),
        NAMED(MPI_COUNT),
        NAMED(MPI_OFFSET),
        NAMED(MPI_PACKED),
        NAMED(MPI_SHORT),
        NAMED(MPI_INT),
        NAMED(MPI_LONG),
        {MPI_LONG_LONG, "MPI_LONG_LONG_INT"},
        NAMED(MPI_LONG_LONG_INT),
        NAMED(MPI_UNSIGNED_SHORT),
        NAMED(MPI_UNSIGNED),
        NAMED(MPI_UNSIGNED_LONG),
        NAMED(MPI_UNSIGNED_LONG_LONG),
        NAMED(MPI_FLOAT),
        {MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX"},
        NAMED(MPI_C_COMPLEX),
        NAMED(MPI_CXX_FLOAT_COMPLEX),
        NAMED(MPI_DOUBLE),
        NAMED(MPI_C_DOUBLE_COMPLEX),
        NAMED(MPI_CXX_DOUBLE_COMPLEX),
        NAMED(MPI_LONG_DOUBLE),
        NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
        NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
        NAMED(MPI_C_BOOL),
        NAMED(MPI_CXX_BOOL),
        NAMED(MPI_WCHAR),
        NAMED(MPI_INT8_T),
        NAMED(MPI_UINT8_T),
        NAMED(MPI_CHAR),
        NAMED(MPI_SIGNED_CHAR),
        NAMED(MPI_UNSIGNED_CHAR),
        NAMED(MPI_BYTE),
        NAMED(MPI_INT16_T),
        NAMED(MPI_UINT16_T),
        NAMED(MPI_INT32_T),
        NAMED(MPI_UINT32_T),
        NAMED(MPI_INT64_T),
        NAMED(MPI_UINT64_T),
        NAMED(MPI_FLOAT_INT),
        NAMED(MPI_DOUBLE_INT),
        NAMED(MPI_LONG_INT),
        NAMED(MPI_2INT),
        NAMED(MPI_SHORT_INT),
        NAMED(MPI_LONG_DOUBLE_INT),
        NAMED(MPI_2REAL),
        NAMED(MPI_2DOUBLE_PRECISION),
        NAMED(MPI_2INTEGER),
        NAMED(MPI_LOGICAL),
        NAMED(MPI_INTEGER),
        NAMED(MPI_REAL),
        NAMED(MPI_COMPLEX),
        NAMED(MPI_DOUBLE_PRECISION),
        NAMED(MPI_DOUBLE_COMPLEX),
        NAMED(MPI_CHARACTER),
        NAMED(MPI_LOGICAL1),
        NAMED(MPI_INTEGER1),
        NAMED(MPI_LOGICAL2),
        NAMED(MPI_INTEGER2),
        NAMED(MPI_REAL2),
        NAMED(MPI_LOGICAL4),
        NAMED(MPI_INTEGER4),
        NAMED(MPI_REAL4),
        NAMED(MPI_COMPLEX4),
        NAMED(MPI_LOGICAL8),
        NAMED(MPI_INTEGER8),
        NAMED(MPI_REAL8),
        NAMED(MPI_COMPLEX8),
        NAMED(MPI_LOGICAL16),
        NAMED(MPI_INTEGER16),
        NAMED(MPI_REAL16),
        NAMED(MPI_COMPLEX16),
        NAMED(MPI_COMPLEX32),
    };
#undef NAMED
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) expect_name(of_type(all[i].type), all[i].name);
}

int main(void) {
    CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect_names_of_datatypes();
    name_communicators();
    hear_of_names();
    name_windows();
    name_any(of_type(MPI_REAL4));
    expect_no_object(of_comm((MPI_Comm)0x7a5f0), MPI_ERR_COMM);
    expect_no_object(of_type((MPI_Datatype)0x7a5f0), MPI_ERR_TYPE);
    expect_no_object(of_win((MPI_Win)0x7a5f0), MPI_ERR_WIN);
    expect_null(of_comm(MPI_COMM_NULL), "MPI_COMM_NULL", MPI_ERR_COMM);
    expect_null(of_type(MPI_DATATYPE_NULL), "MPI_DATATYPE_NULL", MPI_ERR_TYPE);
    expect_null(of_win(MPI_WIN_NULL), "MPI_WIN_NULL", MPI_ERR_WIN);
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    return report();
}
