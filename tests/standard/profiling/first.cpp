// The first of three source files of one library with the roof: it counts, and shows what it takes the functions for.
#include "library.hpp"

#include <mpit/mpi_t.hpp>

extern "C" [[gnu::visibility("default")]] void count_a_message() { ++library.messages; }

extern "C" [[gnu::visibility("default")]] any_function read_function_of_first(int profiling) {
    return reinterpret_cast<any_function>(profiling != 0 ? &PMPI_T_pvar_read : &MPI_T_pvar_read);
}
