// The standard functions in a shared library of their own, as a tool finds them: each call goes through the procedure
// linkage table, and none is compiled into the loop that measures it.
#define MPIT_C_INFO 1
#include <mpit/mpi_t.hpp>
