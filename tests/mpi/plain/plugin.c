/* A plugin with an MPI, for late.c: it is what program.c is. */
#define main plugin_main
#include "program.c"
#undef main

int plugin_list(void);
int plugin_list(void) {
    char name[] = "plugin", *arguments[] = {name, NULL};
    return plugin_main(1, arguments);
}
int plugin_opens(void);
int plugin_opens(void) {
    int provided = -1;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
}
