/* A program that uses the library, and a tool in one: it prints what the tool interface of the process lists. With
 * an MPI it uses info objects first. What it prints beside an MPI must be what it prints without the library.
 *
 *   program [exit status]      compiled with an mpi.h, or with -DWITHOUT_MPI */
#ifdef WITHOUT_MPI
#include <mpit/mpi_t.h>
#else
#include <mpi.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The library may be missing. */
int relay_send(unsigned long bytes) __attribute__((weak));

static void list_controls(void) {
    int count = -1, twin = -2;
    printf("%d",
           MPI_T_cvar_get_num(&count) == MPI_SUCCESS && PMPI_T_cvar_get_num(&twin) == MPI_SUCCESS && count == twin);
    printf(" %d control variables\n", count);
    for (int i = 0; i < count; i++) {
        char name[256] = "";
        int size = sizeof name, verbosity = -1, bind = -1, scope = -1, elements = -1, number = 0, bytes = 0;
        MPI_Datatype type = MPI_INT;
        MPI_T_enum items;
        MPI_T_cvar_handle handle;
        const int code = MPI_T_cvar_get_info(i, name, &size, &verbosity, &type, &items, NULL, NULL, &bind, &scope);
        printf("%d %s %d %d %d", code, code == MPI_SUCCESS ? name : "", verbosity, bind, scope);
        if (code == MPI_SUCCESS && bind == MPI_T_BIND_NO_OBJECT && type == MPI_INT &&
            PMPI_T_cvar_handle_alloc(i, NULL, &handle, &elements) == MPI_SUCCESS) {
            if (elements == 1 && MPI_T_cvar_read(handle, &number) == MPI_SUCCESS) bytes = (int)sizeof number;
            MPI_T_cvar_handle_free(&handle);
        }
        printf(bytes != 0 ? " = %d\n" : "\n", number);
    }
}

static void list_performances(void) {
    int count = -1;
    MPI_T_pvar_session session;
    MPI_T_pvar_get_num(&count);
    printf("%d performance variables, session %d\n", count, MPI_T_pvar_session_create(&session));
    for (int i = 0; i < count; i++) {
        char name[256] = "";
        int size = sizeof name, verbosity, in = -1, bind = -1, readonly = -1, continuous = -1, atomic = -1;
        MPI_Datatype type;
        MPI_T_enum items;
        const int code = MPI_T_pvar_get_info(i, name, &size, &verbosity, &in, &type, &items, NULL, NULL, &bind,
                                             &readonly, &continuous, &atomic);
        printf("%d %s %d %d %d %d\n", code, code == MPI_SUCCESS ? name : "", in, bind, readonly, continuous);
    }
    MPI_T_pvar_session_free(&session);
}

static void list(void) {
    int provided = -1, number = -1, closed;
    closed = MPI_T_cvar_get_num(&number) != MPI_SUCCESS;
    printf("closed %d, opened %d, again %d\n", closed, MPI_T_init_thread(MPI_THREAD_SINGLE, &provided),
           PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    list_controls();
    list_performances();
    printf("ended %d\n", MPI_T_finalize());
    printf("still open %d\n", MPI_T_cvar_get_num(&number) == MPI_SUCCESS);
    printf("ended %d\n", PMPI_T_finalize());
}

#ifndef WITHOUT_MPI
static void use_info(void) {
    char value[32] = "";
    int is_there = 0;
    MPI_Info given, kept;
    MPI_Info_create(&given);
    MPI_Info_set(given, "relay_key", "of the program");
    printf("given %d\n", MPI_Comm_set_info(MPI_COMM_WORLD, given));
    MPI_Info_get(given, "relay_key", 31, value, &is_there);
    printf("kept %d, \"%s\" %d\n", MPI_Info_dup(given, &kept), value, is_there);
    MPI_Info_free(&given);
    MPI_Info_free(&kept);
}
#endif

int main(int argc, char** argv) {
    for (int i = 0; i < 3 && relay_send != NULL; i++) relay_send(100);
#ifndef WITHOUT_MPI
    MPI_Init(&argc, &argv);
    use_info();
#endif
    list();
#ifndef WITHOUT_MPI
    MPI_Finalize();
#else
    if (getenv("PROGRAM_WAITS") != NULL) sleep(1);
#endif
    return argc > 1 ? atoi(argv[1]) : 0;
}
