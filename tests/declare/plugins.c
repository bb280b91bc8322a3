/* A program with the C++ file loads a plugin that has none, counts beside it, looks at its variables, and unloads it.
 *     plugins <plugin> */
#include <mpit/declare.h>
#include <mpit/mpi_t.h>

#include "../mpi_t/performance_variables.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

static mpit_counter of_program = MPIT_COUNTER_CELL;

static void* function_of(void* plugin, const char* name) { return dlsym(plugin, name); }

int main(int argc, char** argv) {
    int provided = 0, index = -1, count = 0, value = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int (*open_plugin)(void);
    uint64_t (*count_in_plugin)(uint64_t);
    void (*close_plugin)(void);
    void* const plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (plugin == NULL) return puts("no plugin"), 2;
    void* const functions[] = {function_of(plugin, "plugin_open"), function_of(plugin, "plugin_count"),
                               function_of(plugin, "plugin_close")};
    memcpy(&open_plugin, &functions[0], sizeof open_plugin);
    memcpy(&count_in_plugin, &functions[1], sizeof count_in_plugin);
    memcpy(&close_plugin, &functions[2], sizeof close_plugin);
    round_name = "a plugin in C";
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(function_of(dlopen(NULL, RTLD_NOW), "mpit_open") == NULL); /* the linker name has the version */
    CHECK(count_in_plugin(2) == 2);
    CHECK(open_plugin() == 0);
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle sizes = measured(session, "plugin_sizes_sum", MPI_T_PVAR_CLASS_AGGREGATE, NULL, 1);
    unsigned long long sum = 0;
    CHECK(MPI_T_pvar_start(session, sizes) == MPI_SUCCESS);
    CHECK(count_in_plugin(3) == 5);
    CHECK(MPI_T_pvar_read(session, sizes, &sum) == MPI_SUCCESS && sum == 3);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    mpit_add(&of_program, 4);
    CHECK(mpit_total(&of_program) == 4);
    CHECK(MPI_T_cvar_get_index("PLUGIN_DEPTH", &index) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value == 3);
    CHECK(MPI_T_pvar_get_index("plugin_sent", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
    close_plugin();
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(dlclose(plugin) == 0);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
