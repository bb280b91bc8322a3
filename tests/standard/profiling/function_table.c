/* Takes the address of every function in C99: they are functions with C linkage, not macros. */
/* [PMPI-04] A table of function pointers in C holds all 102 functions. */
#include <mpit/mpi_t.h>

#include "function_table.h"

#define DECLARE(name) void mpit_here_##name(void);
EVERY_FUNCTION(DECLARE)
#define ADDRESSES(name) {#name, (void (*)(void))&MPI_T_##name, (void (*)(void))&PMPI_T_##name, &mpit_here_##name},
const struct function_addresses function_table[function_count] = {EVERY_FUNCTION(ADDRESSES)};
