/* Objects of the runtime, as a program in C uses them: info objects before, during and after the world of MPI, given to the
 * functions that take hints, whose errors, unlike those of the tool information interface, go to the error handler of MPI;
 * and names of communicators, datatypes and windows: what is kept of a text, what predefined and null objects are called,
 * that a duplicate has no name, and what is refused. */
/* [INFO-21] A function that took hints does not miss their object when it is changed or freed right after the call. */
/* [INFO-24] Info objects can be used before MPI_Init and after MPI_Finalize. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>

#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Uses every function once; none may fail. */
static void use_every_function(int argc, char** argv, const char* when) {
    MPI_Info info, copy, environment;
    char key[MPI_MAX_INFO_KEY], value[8] = "";
    int count = -1, length = -1, size = sizeof value, found = 0;
    round_name = when;
    CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
    CHECK(MPI_Info_set(info, "key", "value") == MPI_SUCCESS);
    CHECK(MPI_Info_dup(info, &copy) == MPI_SUCCESS);
    CHECK(MPI_Info_delete(info, "key") == MPI_SUCCESS);
    CHECK(MPI_Info_get_nkeys(copy, &count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_Info_get_nthkey(copy, 0, key) == MPI_SUCCESS && strcmp(key, "key") == 0);
    CHECK(MPI_Info_get_valuelen(copy, "key", &length, &found) == MPI_SUCCESS && found && length == 5);
    CHECK(MPI_Info_get(copy, "key", 7, value, &found) == MPI_SUCCESS && found && strcmp(value, "value") == 0);
    CHECK(MPI_Info_get_string(copy, "key", &size, value, &found) == MPI_SUCCESS && found && size == 6);
    CHECK(MPI_Info_create_env(argc, argv, &environment) == MPI_SUCCESS);
    CHECK(MPI_Info_get(environment, "command", 0, value, &found) == MPI_SUCCESS && found);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS && info == MPI_INFO_NULL);
    CHECK(MPI_Info_free(&copy) == MPI_SUCCESS);
    CHECK(MPI_Info_free(&environment) == MPI_SUCCESS);
}

/* A session answers the thread level that it was asked for, or the highest (MPI-5.0, 11.3.1). */
static void ask_for_thread_levels(void) {
    static const char* const asked[] = {
        "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE", "no level", NULL};
    round_name = "thread levels";
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char* const given = i < 4 ? asked[i] : "MPI_THREAD_MULTIPLE";
        MPI_Info hints = MPI_INFO_NULL, used = MPI_INFO_NULL;
        MPI_Session session = MPI_SESSION_NULL;
        char level[64] = "";
        int size = sizeof level, found = 0;
        CHECK(asked[i] == NULL || MPI_Info_create(&hints) == MPI_SUCCESS);
        CHECK(asked[i] == NULL || MPI_Info_set(hints, "thread_level", asked[i]) == MPI_SUCCESS);
        CHECK(MPI_Session_init(hints, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
        CHECK(asked[i] == NULL || MPI_Info_free(&hints) == MPI_SUCCESS);
        CHECK(MPI_Session_get_info(session, &used) == MPI_SUCCESS);
        CHECK(MPI_Info_get_string(used, "thread_level", &size, level, &found) == MPI_SUCCESS && found);
        CHECK(strcmp(level, given) == 0);
        CHECK(MPI_Info_free(&used) == MPI_SUCCESS);
        CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
    }
}

/* Gives hints to the functions that take them, and takes them away at once. */
static void give_hints(void) {
    MPI_Info hints = MPI_INFO_NULL, freed, used = MPI_INFO_NULL;
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int memory = 0, count = -1;
    round_name = "hints";
    CHECK(MPI_Info_create(&hints) == MPI_SUCCESS);
    CHECK(MPI_Info_set(hints, "no_such_hint", "true") == MPI_SUCCESS);
    freed = hints;
    CHECK(MPI_Comm_set_info(MPI_COMM_WORLD, hints) == MPI_SUCCESS);
    CHECK(MPI_Win_create(&memory, sizeof memory, 1, hints, MPI_COMM_WORLD, &window) == MPI_SUCCESS);
    CHECK(MPI_Session_init(hints, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    CHECK(MPI_Info_set(hints, "no_such_hint", "false") == MPI_SUCCESS);
    CHECK(MPI_Info_free(&hints) == MPI_SUCCESS);
    CHECK(MPI_Session_get_info(session, &used) == MPI_SUCCESS);
    CHECK(MPI_Info_get_nkeys(used, &count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_Info_free(&used) == MPI_SUCCESS);
    CHECK(MPI_Win_free(&window) == MPI_SUCCESS);
    CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_ENV) == MPI_SUCCESS);

    /* What was freed is no object of hints any more. */
    CHECK(MPI_Comm_set_info(MPI_COMM_WORLD, freed) == MPI_ERR_INFO);
    CHECK(MPI_Win_create(&memory, sizeof memory, 1, freed, MPI_COMM_WORLD, &window) == MPI_ERR_INFO);
    CHECK(MPI_Session_init(freed, MPI_ERRORS_RETURN, &session) == MPI_ERR_INFO);
}

/* Whether a call that fails ends the process, which another process tries out. */
static int ends_the_process(int (*fail)(void)) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(2);
        fail();
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
static int delete_what_is_not_there(void) {
    MPI_Info info;
    MPI_Info_create(&info);
    return MPI_Info_delete(info, "key");
}
static int change_the_environment(void) { return MPI_Info_set(MPI_INFO_ENV, "command", "another"); }
static int ask_no_object(void) {
    int count;
    return MPI_Info_get_nkeys(MPI_INFO_NULL, &count);
}
static int succeed(void) {
    MPI_Info info;
    MPI_Info_create(&info);
    return MPI_Info_free(&info);
}

/* [INFO-08] [INFO-09] [INFO-20] The codes of failures reach the caller where the error handler lets them. */
static void meet_the_error_handler(void) {
    round_name = "errors are fatal";
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    CHECK(ends_the_process(delete_what_is_not_there));
    CHECK(ends_the_process(change_the_environment));
    CHECK(ends_the_process(ask_no_object));
    CHECK(!ends_the_process(succeed));
    round_name = "errors return";
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(delete_what_is_not_there() == MPI_ERR_INFO_NOKEY);
    CHECK(change_the_environment() == MPI_ERR_INFO);
    CHECK(ask_no_object() == MPI_ERR_INFO);
    CHECK(succeed() == MPI_SUCCESS);
}

/* How many pairs of MPI_INFO_ENV are others than those that main's arguments make. */
static int differences_of_environments(int argc, char** argv) {
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL], other[MPI_MAX_INFO_VAL];
    int count = 0, other_count = 0, different = 0;
    MPI_Info given;
    MPI_Info_create_env(argc, argv, &given);
    MPI_Info_get_nkeys(given, &count);
    MPI_Info_get_nkeys(MPI_INFO_ENV, &other_count);
    for (int i = 0; i < count && i < other_count; i++) {
        int size = sizeof value, other_size = sizeof other, found = 0;
        MPI_Info_get_nthkey(given, i, key);
        MPI_Info_get_string(given, key, &size, value, &found);
        MPI_Info_get_string(MPI_INFO_ENV, key, &other_size, other, &found);
        different += !found || size != other_size || strcmp(value, other) != 0;
    }
    MPI_Info_free(&given);
    return different + (count != other_count);
}

/* [INFO-23] MPI_INFO_ENV has the command and the arguments of the process, unless they are too long for a value. */
static void run_with(char* command, char* first, char* second) {
    char* arguments[] = {command, first, second, NULL};
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", arguments);
        _exit(99);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}
static void run_with_many_arguments(void) {
    static char long_text[3][2001];
    const size_t lengths[] = {1, 600, 1021, 1022, 1023, 1024, 1500, 2000};
    char a[] = "a b", empty[] = "";
    round_name = "arguments of the process";
    run_with(a, a, a);
    run_with(a, empty, empty);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int t = 0; t < 3; t++) {
            memset(long_text[t], 'x', sizeof long_text[t]);
            long_text[t][lengths[i]] = '\0';
        }
        run_with(long_text[0], a, a);
        run_with(long_text[0], long_text[1], a);
        run_with(long_text[0], long_text[1], long_text[2]);
        run_with(a, long_text[1], long_text[2]);
        run_with(a, long_text[1], NULL);
        run_with(a, long_text[1], empty);
    }
}

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
    rename_to(of, "tab\t", "tab\t");

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
        /* clang-format off */
    } all[] = {
        NAMED(MPI_AINT), NAMED(MPI_COUNT), NAMED(MPI_OFFSET), NAMED(MPI_PACKED), NAMED(MPI_SHORT), NAMED(MPI_INT),
        NAMED(MPI_LONG), {MPI_LONG_LONG, "MPI_LONG_LONG_INT"}, NAMED(MPI_LONG_LONG_INT), NAMED(MPI_UNSIGNED_SHORT),
        NAMED(MPI_UNSIGNED), NAMED(MPI_UNSIGNED_LONG), NAMED(MPI_UNSIGNED_LONG_LONG), NAMED(MPI_FLOAT),
        {MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX"}, NAMED(MPI_C_COMPLEX), NAMED(MPI_CXX_FLOAT_COMPLEX), NAMED(MPI_DOUBLE),
        NAMED(MPI_C_DOUBLE_COMPLEX), NAMED(MPI_CXX_DOUBLE_COMPLEX), NAMED(MPI_LONG_DOUBLE),
        NAMED(MPI_C_LONG_DOUBLE_COMPLEX), NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX), NAMED(MPI_C_BOOL), NAMED(MPI_CXX_BOOL),
        NAMED(MPI_WCHAR), NAMED(MPI_INT8_T), NAMED(MPI_UINT8_T), NAMED(MPI_CHAR), NAMED(MPI_SIGNED_CHAR),
        NAMED(MPI_UNSIGNED_CHAR), NAMED(MPI_BYTE), NAMED(MPI_INT16_T), NAMED(MPI_UINT16_T), NAMED(MPI_INT32_T),
        NAMED(MPI_UINT32_T), NAMED(MPI_INT64_T), NAMED(MPI_UINT64_T), NAMED(MPI_FLOAT_INT), NAMED(MPI_DOUBLE_INT),
        NAMED(MPI_LONG_INT), NAMED(MPI_2INT), NAMED(MPI_SHORT_INT), NAMED(MPI_LONG_DOUBLE_INT), NAMED(MPI_2REAL),
        NAMED(MPI_2DOUBLE_PRECISION), NAMED(MPI_2INTEGER), NAMED(MPI_LOGICAL), NAMED(MPI_INTEGER), NAMED(MPI_REAL),
        NAMED(MPI_COMPLEX), NAMED(MPI_DOUBLE_PRECISION), NAMED(MPI_DOUBLE_COMPLEX), NAMED(MPI_CHARACTER),
        NAMED(MPI_LOGICAL1), NAMED(MPI_INTEGER1), NAMED(MPI_LOGICAL2), NAMED(MPI_INTEGER2), NAMED(MPI_REAL2),
        NAMED(MPI_LOGICAL4), NAMED(MPI_INTEGER4), NAMED(MPI_REAL4), NAMED(MPI_COMPLEX4), NAMED(MPI_LOGICAL8),
        NAMED(MPI_INTEGER8), NAMED(MPI_REAL8), NAMED(MPI_COMPLEX8), NAMED(MPI_LOGICAL16), NAMED(MPI_INTEGER16),
        NAMED(MPI_REAL16), NAMED(MPI_COMPLEX16), NAMED(MPI_COMPLEX32),
    };
    /* clang-format on */
#undef NAMED
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) expect_name(of_type(all[i].type), all[i].name);
}

int main(int argc, char** argv) {
    if (argc > 1) return differences_of_environments(argc, argv);
    run_with_many_arguments();
    use_every_function(argc, argv, "before MPI_Init");
    MPI_Init(&argc, &argv);
    use_every_function(argc, argv, "after MPI_Init");
    meet_the_error_handler();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    give_hints();
    ask_for_thread_levels();
    round_name = "names";
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
    MPI_Finalize();
    use_every_function(argc, argv, "after MPI_Finalize");
    return report();
}
