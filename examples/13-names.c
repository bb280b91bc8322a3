/* Lesson 13: names of objects.
 *
 * A program gives names to its communicators, datatypes and windows, and tools print them instead of handles. MPI
 * itself names what it has predefined. This program uses the six functions of MPI-5.0, 7.8. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

static void show_comm(const char* what, MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(comm, name, &length);
    printf("  %-28s \"%.24s\" (%d)\n", what, name, length);
}
static void show_type(const char* what, MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_get_name(type, name, &length);
    printf("  %-28s \"%.24s\" (%d)\n", what, name, length);
}
static void show_win(const char* what, MPI_Win win) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Win_get_name(win, name, &length);
    printf("  %-28s \"%.24s\" (%d)\n", what, name, length);
}

int main(void) {
    static int memory[16];
    char text[300];
    MPI_Comm halo, copy;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    printf("Communicators\n");
    show_comm("predefined", MPI_COMM_WORLD);
    show_comm("null", MPI_COMM_NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    show_comm("a new one", halo);
    strcpy(text, "  halo exchange  ");
    MPI_Comm_set_name(halo, text);
    strcpy(text, "the name is a copy");
    show_comm("after MPI_Comm_set_name", halo);
    MPI_Comm_dup(halo, &copy);
    show_comm("its duplicate", copy);
    memset(text, 'n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    MPI_Comm_set_name(copy, text);
    show_comm("with a name that is too long", copy);

    printf("Datatypes\n");
    show_type("predefined", MPI_INT);
    show_type("another name of a datatype", MPI_LONG_LONG);
    MPI_Type_set_name(MPI_INT, "rank");
    show_type("after MPI_Type_set_name", MPI_INT);

    printf("Windows\n");
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    show_win("a new one", win);
    MPI_Win_set_name(win, "field");
    show_win("after MPI_Win_set_name", win);

    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&halo);
    return MPI_Finalize();
}
