/* A program of an MPI that prints how often the tool has asked for the description of one control variable, at most. */
#include <mpi.h>
#include <stdio.h>

enum { most = 1 << 14 };
static int asked[most];

/* In front of the function of the MPI, which an agent would find without this one. */
__attribute__((visibility("default"))) int MPI_T_cvar_get_info(int number, char* name, int* name_size, int* verbosity,
                                                               MPI_Datatype* type, MPI_T_enum* enumeration, char* text,
                                                               int* text_size, int* bind, int* scope) {
    if (number >= 0 && number < most) asked[number]++;
    return PMPI_T_cvar_get_info(number, name, name_size, verbosity, type, enumeration, text, text_size, bind, scope);
}

int main(int count, char** arguments) {
    int highest = 0;
    MPI_Init(&count, &arguments);
    MPI_Finalize();
    for (int i = 0; i < most; i++)
        if (asked[i] > highest) highest = asked[i];
    printf("asked %d times\n", highest);
    return 0;
}
