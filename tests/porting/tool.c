/* What a tool sees of the variables that were written, and what the library reads. */
#include "cvars.h"

#include <mpit/mpi_t.h>
#include <stdio.h>
#include <string.h>

static void print_controls(void) {
    int count = 0;
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        char name[64], description[128];
        int name_length = sizeof name, description_length = sizeof description, verbosity = 0, bind = 0, scope = 0,
            elements = 0;
        MPI_Datatype type;
        MPI_T_enum items;
        MPI_T_cvar_handle handle;
        char value[512] = "";
        MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &items, description, &description_length, &bind,
                            &scope);
        MPI_T_cvar_handle_alloc(i, NULL, &handle, &elements);
        MPI_T_cvar_read(handle, value);
        printf("%s: %s, %d, %d, ", name, description, verbosity - MPI_T_VERBOSITY_USER_BASIC,
               scope == MPI_T_SCOPE_READONLY);
        if (type == MPI_CHAR) printf("\"%s\"\n", value);
        else if (type == MPI_DOUBLE) printf("%g\n", *(double*)(void*)value);
        else if (elements == 2) printf("%d to %d\n", ((int*)(void*)value)[0], ((int*)(void*)value)[1]);
        else printf("%d%s\n", *(int*)(void*)value, items == MPI_T_ENUM_NULL ? "" : " of items");
        MPI_T_cvar_handle_free(&handle);
    }
}
static void print_measures(void) {
    int count = 0;
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        char name[64], description[128];
        int name_length = sizeof name, description_length = sizeof description, of_class = 0, readonly = 0,
            continuous = 0, other = 0;
        MPI_Datatype type;
        MPI_T_enum items;
        MPI_T_pvar_get_info(i, name, &name_length, &other, &of_class, &type, &items, description, &description_length,
                            &other, &readonly, &continuous, &other);
        printf("%s: %s, %s%s%s\n", name, description,
               of_class == MPI_T_PVAR_CLASS_COUNTER ? "counter"
               : of_class == MPI_T_PVAR_CLASS_TIMER ? "timer"
                                                    : "level",
               readonly ? ", readonly" : "", continuous ? ", continuous" : "");
    }
}

int main(void) {
    int provided = 0;
    printf("refused: %d\n", cvars_open());
    mpit_add(&PVAR_COUNTER_lab_sent, 1);
    PVAR_LEVEL_lab_queued = 2;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    printf("empty rules: %d\n", MPIR_CVAR_LAB_RULES != NULL && strcmp(MPIR_CVAR_LAB_RULES, "") == 0);
    print_controls();
    print_measures();
    printf("limit %d, checks %d, network %s, host %s, ports %d to %d, ring %d\n", MPIR_CVAR_LAB_EAGER_LIMIT,
           MPIR_CVAR_LAB_CHECKS, MPIR_CVAR_LAB_NETWORK == NULL ? "none" : MPIR_CVAR_LAB_NETWORK,
           MPIR_CVAR_LAB_HOST == NULL ? "none" : MPIR_CVAR_LAB_HOST, MPIR_CVAR_LAB_PORTS.low, MPIR_CVAR_LAB_PORTS.high,
           MPIR_CVAR_LAB_ALGORITHM == MPIR_CVAR_LAB_ALGORITHM_ring);
    MPI_T_finalize();
    cvars_close();
    return 0;
}
