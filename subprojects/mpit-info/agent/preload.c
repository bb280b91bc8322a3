/* libmpit-info.so: decides which agent is loaded and when it is called: when an MPI is started and ended, before
 * main(), when a library with mpit is opened, and at exit. No thread is made here and no lock is taken, so that a
 * process may fork at any time. A process that starts no MPI and does not embed mpit loads no agent. */
#include "any_libc.h"

#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The functions of an agent. `begin` returns 1 if the program shall end now, and 2 if the agent gives way to that of
 * an MPI. `end` returns 0 if a thread of the agent does not end in time: then the MPI stays loaded, and no other
 * agent begins. `leave` ends the agent and calls no function of the MPI. Only the agent of an MPI has `use`, which
 * gets a function that finds the functions of the MPI and returns 0 if it has no tool interface. */
static struct {
    int (*use)(any_function (*find)(const char* name));
    int (*begin)(const char* moment);
    int (*end)(const char* moment);
    void (*leave)(const char* moment);
} agent;

enum phase { idle, beginning, running, over };
static _Atomic(enum phase) phase;
static _Atomic(const void*) base_of_watched; /* the first MPI that is started; others are left alone */
static atomic_int users;                     /* those of its world and sessions that have not ended */
static atomic_int has_begun;                 /* an agent has told something */
static atomic_int gives_way;                 /* the running agent ends when an MPI is started */
static atomic_int awaits_library;            /* one with mpit that is opened begins the agent of the registry */
static struct mpi watched;
static pid_t owner;    /* the process that the agent works in; its children are not watched */
static pid_t of_start; /* the process that came to main() */

static int is_resident(void) {
    const char* const how = getenv("MPIT_AGENT");
    return how != NULL && strcmp(how, "resident") == 0;
}
static int is_wanted(void) {
    return (getenv("MPIT_INFO_SOCKET") != NULL || is_resident()) && getenv("MPIT_INFO_AGENTS") != NULL;
}

static any_function function_of(void* library, const char* name) {
    void* const symbol = dlsym(library, name);
    any_function function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static any_function find_in_watched(const char* name) { return function_in(&watched, name); }

static int load_agent(const char* kind) {
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/mpit-info-%s.so", getenv("MPIT_INFO_AGENTS"), kind);
    void* const library =
        length < (int)sizeof path && access(path, R_OK) == 0 ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library != NULL) {
        agent.use = (int (*)(any_function (*)(const char*)))function_of(library, "mpit_info_use");
        agent.begin = (int (*)(const char*))function_of(library, "mpit_info_begin");
        agent.end = (int (*)(const char*))function_of(library, "mpit_info_end");
        agent.leave = (void (*)(const char*))function_of(library, "mpit_info_leave");
    } else if (getenv("MPIT_INFO_DEBUG") != NULL) {
        const char* const reason = dlerror();
        fprintf(stderr, "mpit-info: %s\n", reason != NULL ? reason : path);
    }
    dlerror();
    return library != NULL && agent.begin != NULL && agent.end != NULL;
}

static void at_exit(void);

/* Tells the tool that the MPI that is watched cannot be read. Returns whether the program shall end now. */
static int tell_no_agent(const char* kind) {
    char path[4096], text[8192 + 1] = "";
    int length = 0;
    const char* const request = getenv("MPIT_INFO_REQUEST");
    int (*const library_version)(char*, int*) = (int (*)(char*, int*))find_in_watched("MPI_Get_library_version");
    if (library_version != NULL) library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    const int size = snprintf(path, sizeof path, "%s/mpit-info-index.so", getenv("MPIT_INFO_AGENTS"));
    void* const library = size < (int)sizeof path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    void (*const tell)(const char*, const char*) =
        library != NULL ? (void (*)(const char*, const char*))function_of(library, "mpit_info_tell_no_agent") : NULL;
    if (tell != NULL) tell(kind, text);
    dlerror();
    return tell != NULL && request != NULL && strstr(request, "\"init\"") != NULL;
}

/* Runs with the phase `beginning`. Returns whether the program shall end now. */
static int begin(const char* kind, const char* moment) {
    int is_last = 0;
    if (load_agent(kind) && (agent.use == NULL || agent.use(find_in_watched))) {
        owner = getpid();
        has_begun = 1;
        const int answer = agent.begin(moment);
        is_last = answer == 1;
        gives_way = answer == 2 && base_of_watched == NULL;
        phase = running;
        /* The handler registered last runs first: before the MPI's own, and while all libraries are loaded. */
        atexit(at_exit);
    } else {
        phase = idle;
    }
    return is_last;
}

static int claim(enum phase from, enum phase to) { return atomic_compare_exchange_strong(&phase, &from, to); }

/* For an agent that is begun next. What was published in a program that starts an MPI later is left to the MPI and
 * to the end. */
static int claim_for_mpi(void) {
    if (claim(idle, beginning)) return 1;
    if (!gives_way || owner != getpid() || !claim(running, beginning)) return 0;
    agent.leave("for an MPI");
    return 1;
}

/* Its MPI ends in order, and so does the output of the program; its other ends, its handlers for instance, are left
 * out. */
static _Noreturn void end_program(enum started how, void* session, const void* caller) {
    const any_function next = next_function(how == by_world ? "MPI_Finalize" : "MPI_Session_finalize", caller);
    if (how == by_world && next != NULL) ((int (*)(void))next)();
    if (how == by_session && next != NULL && session != NULL) ((int (*)(void*))next)(session);
    fflush(NULL);
    _Exit(0);
}

void after_start(enum started how, void* session, const void* caller) {
    const int kept = errno;
    struct mpi found;
    const void* none = NULL;
    int is_last = 0;
    if (!is_wanted() || !find_mpi(caller, &found)) return;
    if (!atomic_compare_exchange_strong(&base_of_watched, &none, found.base) && none != found.base) {
        give_back(&found);
        return;
    }
    users++;
    awaits_library = 0;
    if (claim_for_mpi()) {
        const char* const kind = agent_for(&found);
        watched = found;
        if (kind != NULL || embeds_mpit()) is_last = begin(kind != NULL ? kind : "index", "after MPI_Init");
        else phase = idle;
        if (phase == idle && agent.begin == NULL) is_last = tell_no_agent(kind != NULL ? kind : "unknown");
        if (phase == idle) give_back(&watched);
    } else {
        give_back(&found);
    }
    if (is_last) end_program(how, session, caller);
    errno = kept;
}

void before_end(const void* caller) {
    const int kept = errno;
    struct mpi found;
    if (base_of_watched == NULL || !find_mpi(caller, &found)) return;
    const int is_watched = found.base == base_of_watched;
    give_back(&found);
    if (is_watched && users > 0 && --users == 0 && owner == getpid() && claim(running, beginning)) {
        const int has_ended = agent.end("at MPI_Finalize");
        if (has_ended) give_back(&watched);
        phase = has_ended ? idle : over;
    }
    errno = kept;
}

void before_abort(void) {
    if (owner == getpid() && agent.use != NULL && claim(running, over)) agent.leave("at MPI_Abort");
}

static int has_mpi_ended(void) {
    int has_ended = 0;
    int (*const finalized)(int*) = agent.use != NULL ? (int (*)(int*))find_in_watched("MPI_Finalized") : NULL;
    return finalized != NULL && (finalized(&has_ended) != 0 || has_ended != 0);
}

/* An MPI that was started and not ended is read here. Of one that was not started, or has ended, no function is
 * called. */
static void at_exit(void) {
    if (owner == getpid() && claim(running, over)) {
        if (has_mpi_ended()) agent.leave("at exit");
        else agent.end("at exit");
    } else if (of_start == getpid() && !has_begun && embeds_mpit() && claim(idle, beginning)) {
        if (!load_agent("index")) return;
        agent.begin("at exit");
        agent.end("at exit");
        phase = over;
    }
}

/* A process without an MPI has no MPI_Init to wait for: it is watched, or counted to its end, from before main() if
 * it embeds mpit. */
static void before_main(void) {
    const char* const request = getenv("MPIT_INFO_REQUEST");
    const int lasts =
        request != NULL ? strstr(request, "\"watch\"") != NULL || strstr(request, "\"end\"") != NULL : is_resident();
    of_start = getpid();
    atexit(at_exit);
    const int has_mpi = dlsym(RTLD_NEXT, "MPI_Init") != NULL;
    if (lasts && !has_mpi && embeds_mpit() && claim(idle, beginning)) begin("index", "after the start");
    else awaits_library = lasts && !has_mpi && (request == NULL || strstr(request, "\"watch\"") != NULL);
    dlerror();
    errno = 0;
}

/* A library with mpit does that as soon as it has declared or published variables, to withdraw them when it is
 * closed. It may be in its constructor, so that no variable is read here: the agent has a thread that waits for
 * them. */
static void after_registration(const void* library) {
    const int kept = errno;
    if (of_start == getpid() && is_wanted() && embeds_mpit_at(library)) {
        awaits_library = 0;
        if (!has_begun && !is_mpi_loaded() && claim(idle, beginning)) begin("index", "while it runs");
    }
    errno = kept;
}

typedef int registration_function(void (*)(void*), void*, void*);
__attribute__((visibility("default"))) registration_function __cxa_atexit;
int __cxa_atexit(void (*function)(void*), void* argument, void* library) {
    static _Atomic(registration_function*) known;
    registration_function* next = known;
    if (next == NULL) known = next = (registration_function*)function_of(RTLD_NEXT, "__cxa_atexit");
    const int answer = next(function, argument, library);
    if (awaits_library && library != NULL) after_registration(library);
    return answer;
}

typedef int main_function(int, char**, char**);
typedef int start_function(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
static main_function* main_of_program;

static int main_of_process(int count, char** arguments, char** environment) {
    before_main();
    return main_of_program(count, arguments, environment);
}

/* All libraries have been initialized, and the objects of the program not yet. */
__attribute__((visibility("default"))) start_function __libc_start_main;
int __libc_start_main(main_function* program, int count, char** arguments, void (*init)(void), void (*fini)(void),
                      void (*end_of_loader)(void), void* end_of_stack) {
    start_function* const next = (start_function*)function_of(RTLD_NEXT, "__libc_start_main");
    if (next == NULL) _exit(127);
    main_of_program = program;
    return next(is_wanted() ? main_of_process : program, count, arguments, init, fini, end_of_loader, end_of_stack);
}
