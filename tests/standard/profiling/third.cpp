// The third of three source files of one library with the roof.
#include "library.hpp"

#include <mpit/mpi_t.hpp>

extern "C" [[gnu::visibility("default")]] int limit_of_the_library() { return library.limit; }

extern "C" [[gnu::visibility("default")]] any_function read_function_of_third(int profiling) {
    return reinterpret_cast<any_function>(profiling != 0 ? &PMPI_T_pvar_read : &MPI_T_pvar_read);
}
