/* A program without an MPI that opens one late, as Python's mpi4py does, or finds its functions by name. What it
 * opens is seen by nobody else. Several of them are there at the same time. Its exit status is 7.
 *
 *   late plugin.so [plugin.so...]      begins all, and ends them in the same order
 *   late --in-turn plugin.so...        begins, ends and closes one after the other
 *   late --by-name libmpi.so           calls what dlsym() finds in it
 *   late --asks                        prints which functions of an MPI are there for all */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int function(void);
typedef int init_function(int*, char***);

static function* function_in(void* library, const char* name) {
    void* const symbol = library != NULL ? dlsym(library, name) : NULL;
    function* found = NULL;
    memcpy(&found, &symbol, sizeof found);
    return found;
}

static int call_by_name(const char* path) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    function* const found = function_in(library, "MPI_Init");
    function* const finalize = function_in(library, "MPI_Finalize");
    init_function* init = NULL;
    if (found == NULL || finalize == NULL) return puts("no MPI"), 2;
    memcpy(&init, &found, sizeof init);
    printf("init %d\n", init(NULL, NULL));
    printf("finalize %d\n", finalize());
    return 7;
}

static int ask(void) {
    const char* const names[] = {"MPI_Init",  "MPI_Session_init", "MPI_Finalize",   "PMPI_Init",
                                 "mpi_init_", "mpi_init_f08_",    "MPI_T_finalize", "MPI_Abort"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s %s\n", names[i], dlsym(RTLD_DEFAULT, names[i]) != NULL ? "is there" : "is not there");
    return 7;
}

static int run_in_turn(int count, char** paths) {
    for (int i = 0; i < count; i++) {
        void* const plugin = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
        function* const begin = function_in(plugin, "plugin_begin");
        if (begin == NULL) return puts(dlerror()), 2;
        if (begin() != 0) return 3;
        if (function_in(plugin, "plugin_end")() != 0) return 4;
        if (dlclose(plugin) != 0 || dlopen(paths[i], RTLD_NOW | RTLD_NOLOAD) != NULL) return 5;
    }
    return 7;
}

int main(int argc, char** argv) {
    void* plugins[8] = {NULL};
    if (argc == 2 && strcmp(argv[1], "--asks") == 0) return ask();
    if (argc == 3 && strcmp(argv[1], "--by-name") == 0) return call_by_name(argv[2]);
    if (argc > 2 && strcmp(argv[1], "--in-turn") == 0) return run_in_turn(argc - 2, argv + 2);
    for (int i = 1; i < argc && i < 8; i++) {
        plugins[i] = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        function* const begin = function_in(plugins[i], "plugin_begin");
        if (begin == NULL) return puts(dlerror()), 2;
        if (begin() != 0) return 3;
    }
    for (int i = 1; i < argc && i < 8; i++)
        if (function_in(plugins[i], "plugin_end")() != 0) return 4;
    return 7;
}
