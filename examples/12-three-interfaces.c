/* Lesson 12: one variable, three interfaces.
 *
 * A runtime declares a variable once. Tools of 2010, of 2011 and of today find it, and read the same value. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}
#define CHECK(holds) check(holds, #holds)

/* MPI-5.0: the variable is found by its name. */
static MPI_T_cvar_handle find_today(const char* name) {
    MPI_T_cvar_handle handle;
    int index, count;
    CHECK(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS);
    return handle;
}

/* The draft of 2011: a tool looks at all variables. */
static MPIT_Controlvar_handle find_in_2011(const char* wanted) {
    MPIT_Controlvar_handle handle;
    int count;
    CHECK(MPIT_Controlvar_get_num(&count) == MPIT_SUCCESS);
    for (int i = 0; i < count; ++i) {
        char name[300];
        int length = sizeof name;
        CHECK(MPIT_Controlvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPIT_SUCCESS);
        if (strcmp(name, wanted) != 0) continue;
        CHECK(MPIT_Controlvar_handle_allocate(i, MPIT_MPI_RESOURCE_GLOBAL, &handle) == MPIT_SUCCESS);
        return handle;
    }
    exit(1);
}

/* The taxonomy of 2010: a tool asks for the sets of a name, and reads through the draft that it belongs to. */
static int is_configuration_in_2010(const char* name, char* set) {
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    int length, type;
    CHECK(MPIT_Taxon_query_variable_sets(&iterator, name, set, &length, &type) == MPIT_SUCCESS);
    return type == MPIT_TYPE_CONFIG;
}

static void show(const char* name) {
    char set[MPIT_MAX_SET_NAME];
    int today = -1, in_2011 = -2;
    MPI_T_cvar_handle handle = find_today(name);
    MPIT_Controlvar_handle older = find_in_2011(name);
    CHECK(MPI_T_cvar_read(handle, &today) == MPI_SUCCESS);
    CHECK(MPIT_Controlvar_read(older, &in_2011) == MPIT_SUCCESS);
    CHECK(is_configuration_in_2010(name, set));
    printf("%-17s %-11s %6d %6d\n", name, set, in_2011, today);
    CHECK(today == in_2011);

    /* What one tool writes the other reads. */
    ++in_2011;
    CHECK(MPIT_Controlvar_write(older, &in_2011) == MPIT_SUCCESS);
    CHECK(MPI_T_cvar_read(handle, &today) == MPI_SUCCESS);
    CHECK(MPIT_Controlvar_read(older, &in_2011) == MPIT_SUCCESS);
    printf("%-17s %-11s %6d %6d\n", "", "", in_2011, today);
    CHECK(today == in_2011);
    MPI_T_cvar_handle_free(&handle);
    MPIT_Controlvar_handle_free(&older);
}

int main(void) {
    int provided;
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(MPIT_Init() == MPIT_SUCCESS);
    printf("%-17s %-11s %6s %6s\n", "variable", "2010", "2011", "today");
    show("MINI_EAGER_LIMIT");
    MPIT_Finalize();
    MPI_T_finalize();
    return 0;
}
