/* Takes the address of every function in C99: they are functions with C linkage, not macros. */
/* [PMPI-04] A table of function pointers in C holds all 102 functions. */
#include <mpit/mpi_t.h>

#include "function_table.h"

#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) void mpit_local_##name(void);
#include <mpit/mpi_t/functions.def>
const struct function_addresses function_table[function_count] = {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    {#name, (void (*)(void)) & MPI_T_##name, (void (*)(void)) & PMPI_T_##name, &mpit_local_##name},
#include <mpit/mpi_t/functions.def>
};
