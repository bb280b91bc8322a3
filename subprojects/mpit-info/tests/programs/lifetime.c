/* Starts an MPI in one way, ends the process in another, and prints what it sees of both. Its exit status is 7, or
 * what the arguments say, where the end has one to choose.
 *
 *   lifetime none|world|thread|session|sessions|session-world|world-session \
 *            finalize|unfinished|exit|now|quick|abort|fatal|signal|exec [status]
 *
 *   none           no MPI is started                    finalize     all is ended, and main() returns
 *   sessions       two sessions, which overlap           unfinished   main() returns, nothing is ended
 *   session-world  a session first, ended before         exit         unfinished, by exit()
 *                  MPI_Init                              now, quick   unfinished, by _exit() and by quick_exit()
 *   world-session  a session within the world of         abort        MPI_Abort()
 *                  MPI_Init                              fatal        an error in a call of MPI
 *                                                        signal       SIGTERM
 *                                                        exec         unfinished, by execl() of a shell */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int status = 7;

static int is_same(const char* a, const char* b) { return strcmp(a, b) == 0; }

static void say(const char* what, int code) {
    printf("%s %d\n", what, code);
    fflush(stdout);
}

/* What the world answers while it is there. */
static void use_world(void) {
    int rank = -1, sum = 0, one = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("rank", rank);
    say("processes", sum);
}

#if MPI_VERSION >= 4
static MPI_Session first = MPI_SESSION_NULL, second = MPI_SESSION_NULL;

static void open_session(MPI_Session* session) {
    say("session", MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session));
}
static void close_session(MPI_Session* session) {
    if (*session != MPI_SESSION_NULL) say("session ended", MPI_Session_finalize(session));
}
#endif

static int start(const char* how, int* argc, char*** argv) {
    int provided = -1;
    if (is_same(how, "none")) return 0;
    if (is_same(how, "world")) {
        say("init", MPI_Init(argc, argv));
        use_world();
        return 1;
    }
    if (is_same(how, "thread")) {
        say("init", MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided));
        use_world();
        return 1;
    }
#if MPI_VERSION >= 4
    open_session(&first);
    if (is_same(how, "session")) return 0;
    if (is_same(how, "sessions")) {
        open_session(&second);
        close_session(&first);
        return 0;
    }
    if (is_same(how, "session-world")) close_session(&first);
    if (is_same(how, "session-world") || is_same(how, "world-session")) {
        say("init", MPI_Init(argc, argv));
        use_world();
        return 1;
    }
#endif
    exit(2);
}

static int end(const char* how, int has_world) {
    if (is_same(how, "finalize")) {
        if (has_world) say("finalize", MPI_Finalize());
#if MPI_VERSION >= 4
        close_session(&first);
        close_session(&second);
#endif
        return status;
    }
    if (is_same(how, "unfinished")) return status;
    if (is_same(how, "exit")) exit(status);
    if (is_same(how, "now")) _exit(status);
    if (is_same(how, "quick")) quick_exit(status);
    if (is_same(how, "abort")) MPI_Abort(MPI_COMM_WORLD, status);
    if (is_same(how, "fatal")) MPI_Send(&status, 1, MPI_INT, 1000000, 0, MPI_COMM_WORLD);
    if (is_same(how, "signal")) raise(SIGTERM);
    if (is_same(how, "exec")) execl("/bin/sh", "sh", "-c", "echo another program; exit 7", (char*)NULL);
    return 2;
}

int main(int argc, char** argv) {
    if (argc < 3) return fputs("lifetime <start> <end> [status]\n", stderr), 2;
    if (argc > 3) status = atoi(argv[3]);
    const char *const starting = argv[1], *const ending = argv[2];
    return end(ending, start(starting, &argc, &argv));
}
