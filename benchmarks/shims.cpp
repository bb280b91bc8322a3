// The standard functions in a shared library of their own, as a tool finds them: each call uses the procedure linkage
// table, and none is inlined into the measured loop.
#define MPIT_C_INFO 1
#include <mpit/mpi_t.hpp>
