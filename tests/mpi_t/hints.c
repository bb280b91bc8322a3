/* Uses info objects of the runtime before, during and after the world of MPI, gives them to the functions that take
 * hints, and sees that their errors, unlike those of the tool information interface, go to the error handler of MPI. */
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
    MPI_Finalize();
    use_every_function(argc, argv, "after MPI_Finalize");
    return report();
}
