/* The part of mpit-info that is loaded into every process of a program. It stands in front of MPI_Init and MPI_Finalize, and
 * knows no MPI: which one it is, that tells itself, and then the agent that speaks its language is loaded. A process that
 * never calls MPI_Init is looked at when it ends, through its own tool interface or through the index of mpit.
 *
 *   LD_PRELOAD=libmpit-info.so MPIT_INFO_AGENTS=<directory> MPIT_INFO_SOCKET=<path> MPIT_INFO_REQUEST=<JSON> ./program */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRONT __attribute__((visibility("default")))

typedef int init_function(int*, char***);
typedef int init_thread_function(int*, char***, int, int*);
typedef int finalize_function(void);
typedef int version_function(char*, int*);

/* What the agents have. `begin` answers 1 where the program shall end now. */
static int (*agent_begin)(const char* moment);
static void (*agent_end)(const char* moment);

static int is_wanted(void) { return getenv("MPIT_INFO_SOCKET") != NULL && getenv("MPIT_INFO_AGENTS") != NULL; }

/* ISO C has no conversion between the addresses of functions and others. */
typedef void (*any_function)(void);
static any_function function_of(void* symbol) {
    any_function function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}
static void* address_of(any_function function) {
    void* symbol;
    memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}

/* The next definition of a function; where the MPI was opened by a plugin, that of whoever calls. */
static any_function next_function(const char* name, void* caller) {
    void* next = dlsym(RTLD_NEXT, name);
    Dl_info of_caller;
    if (next == NULL && dladdr(caller, &of_caller) != 0) {
        void* plugin = dlopen(of_caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        next = plugin != NULL ? dlsym(plugin, name) : NULL;
    }
    return function_of(next);
}

static int load_agent(const char* kind) {
    char path[4096];
    void* agent;
    if (snprintf(path, sizeof path, "%s/mpit-info-%s.so", getenv("MPIT_INFO_AGENTS"), kind) >= (int)sizeof path)
        return 0;
    agent = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (agent == NULL) {
        if (getenv("MPIT_INFO_DEBUG") != NULL) fprintf(stderr, "mpit-info: %s\n", dlerror());
        return 0;
    }
    agent_begin = (int (*)(const char*))function_of(dlsym(agent, "mpit_info_begin"));
    agent_end = (void (*)(const char*))function_of(dlsym(agent, "mpit_info_end"));
    return agent_begin != NULL && agent_end != NULL;
}

/* By what the MPI says of itself: those that derive from MPICH have its binary interface. */
static const char* agent_of(version_function* version) {
    char text[8192] = "";
    int length = 0;
    if (version != NULL) version(text, &length);
    if (strncmp(text, "Open MPI", 8) == 0) return "openmpi";
    if (strncmp(text, "MPICH", 5) == 0 || strstr(text, "MVAPICH") != NULL || strstr(text, "CRAY MPICH") != NULL ||
        strncmp(text, "Intel(R) MPI", 12) == 0)
        return "mpich";
    return "abi";
}

static void after_init(any_function init, void* caller) {
    Dl_info of_mpi;
    int is_last;
    if (!is_wanted() || agent_begin != NULL) return;
    /* The agent finds the MPI's functions where all can see them. */
    if (dladdr(address_of(init), &of_mpi) != 0) dlopen(of_mpi.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (!load_agent(agent_of((version_function*)next_function("MPI_Get_library_version", caller)))) return;
    is_last = agent_begin("after MPI_Init");
    if (is_last) {
        finalize_function* finalize = (finalize_function*)next_function("MPI_Finalize", caller);
        if (finalize != NULL) finalize();
        fflush(NULL);
        _Exit(0);
    }
}

static void before_finalize(void) {
    if (agent_end != NULL) agent_end("at MPI_Finalize");
    agent_end = NULL;
}

FRONT int MPI_Init(int* argc, char*** argv);
FRONT int MPI_Init(int* argc, char*** argv) {
    void* caller = __builtin_return_address(0);
    init_function* next = (init_function*)next_function("MPI_Init", caller);
    const int code = next != NULL ? next(argc, argv) : 1;
    if (code == 0) after_init((any_function)next, caller);
    return code;
}

FRONT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
FRONT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    void* caller = __builtin_return_address(0);
    init_thread_function* next = (init_thread_function*)next_function("MPI_Init_thread", caller);
    const int code = next != NULL ? next(argc, argv, required, provided) : 1;
    if (code == 0) after_init((any_function)next, caller);
    return code;
}

FRONT int MPI_Finalize(void);
FRONT int MPI_Finalize(void) {
    finalize_function* next = (finalize_function*)next_function("MPI_Finalize", __builtin_return_address(0));
    before_finalize();
    return next != NULL ? next() : 1;
}

/* Fortran's functions call PMPI_Init in some MPIs. */
FRONT void mpi_init_(int* error);
FRONT void mpi_init_(int* error) {
    void* caller = __builtin_return_address(0);
    void (*next)(int*) = (void (*)(int*))next_function("mpi_init_", caller);
    *error = 1;
    if (next == NULL) return;
    next(error);
    if (*error == 0) after_init((any_function)next, caller);
}

FRONT void mpi_init_thread_(int* required, int* provided, int* error);
FRONT void mpi_init_thread_(int* required, int* provided, int* error) {
    void* caller = __builtin_return_address(0);
    void (*next)(int*, int*, int*) = (void (*)(int*, int*, int*))next_function("mpi_init_thread_", caller);
    *error = 1;
    if (next == NULL) return;
    next(required, provided, error);
    if (*error == 0) after_init((any_function)next, caller);
}

FRONT void mpi_finalize_(int* error);
FRONT void mpi_finalize_(int* error) {
    void (*next)(int*) = (void (*)(int*))next_function("mpi_finalize_", __builtin_return_address(0));
    before_finalize();
    *error = 1;
    if (next != NULL) next(error);
}

/* Of a process without an MPI: it may end while it is still beginning to be watched. */
static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;
static int is_over;

/* Whether the process has an MPI. A library may have the functions of the tool interface without being one, and then has none of
 * the functions that an agent for an MPI asks for: its variables are in the index. */
static int has_mpi(void) {
    return dlsym(RTLD_DEFAULT, "PMPI_Init") != NULL && dlsym(RTLD_DEFAULT, "MPI_T_init_thread") != NULL &&
           dlsym(RTLD_DEFAULT, "MPI_Get_version") != NULL;
}

/* The program is over. What has no MPI, or never initialized it, is looked at now. */
static void at_exit(void) {
    pthread_mutex_lock(&beginning);
    is_over = 1;
    pthread_mutex_unlock(&beginning);
    if (agent_begin == NULL) {
        version_function* version = (version_function*)function_of(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
        if (!(has_mpi() && load_agent(agent_of(version))) && !load_agent("index")) return;
        agent_begin("at exit");
    }
    if (agent_end != NULL) agent_end("at exit");
}

/* What has no MPI_Init to wait for is watched, or counted to its end, when its libraries have been loaded, and main() has begun. */
static void* begin_later(void* nothing) {
    const struct timespec while_loading = {0, 50000000};
    nanosleep(&while_loading, NULL);
    pthread_mutex_lock(&beginning);
    if (!is_over && agent_begin == NULL && !has_mpi() && load_agent("index")) agent_begin("after the start");
    pthread_mutex_unlock(&beginning);
    return nothing;
}

__attribute__((constructor)) static void begin(void) {
    const char* request = getenv("MPIT_INFO_REQUEST");
    pthread_t thread;
    if (!is_wanted()) return;
    atexit(at_exit);
    if (request != NULL && (strstr(request, "\"watch\"") != NULL || strstr(request, "\"end\"") != NULL) &&
        dlsym(RTLD_NEXT, "MPI_Init") == NULL && pthread_create(&thread, NULL, begin_later, NULL) == 0)
        pthread_detach(thread);
}
