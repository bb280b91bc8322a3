/* A program without an MPI that uses the library, opens its tool interface, and then a plugin that has an MPI: the
 * interface that is open goes on to its end, for whoever initializes it once more, too, and from then on the MPI is
 * served.
 *
 *   late <plugin>      prints what the plugin prints */
#include <mpit/mpi_t.h>

#include <dlfcn.h>
#include <stdio.h>

static int wrong;
static void check(int holds, const char* what) {
    if (holds) return;
    printf("wrong: %s\n", what);
    wrong++;
}

int main(int argc, char** argv) {
    int provided = -1, count = -1, same = -2, index = -1;
    check(argc == 2, "one argument");
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "our interface opens");
    check(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count > 0, "our variables are there");
    void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    check(plugin != NULL, "the plugin is opened");
    if (plugin == NULL) return puts(dlerror()), 1;
    int (*list)(void) = (int (*)(void))dlsym(plugin, "plugin_list");
    int (*opens)(void) = (int (*)(void))dlsym(plugin, "plugin_opens");
    check(MPI_T_cvar_get_num(&same) == MPI_SUCCESS && same >= count, "our numbers stay");
    check(MPI_T_cvar_get_index("RELAY_WINDOW", &index) == MPI_SUCCESS, "our names stay");
    check(opens() == 0, "our interface is initialized once more");
    check(MPI_T_finalize() == MPI_SUCCESS && MPI_T_cvar_get_num(&same) == MPI_SUCCESS,
          "and goes on after the first end");
    check(MPI_T_finalize() == MPI_SUCCESS, "our interface ends");
    check(MPI_T_cvar_get_num(&count) != MPI_SUCCESS, "nobody has opened the MPI's interface");
    fflush(stdout);
    check(list() == 0, "the plugin lists");
    return wrong;
}
