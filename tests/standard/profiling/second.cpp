// The second of three source files of one library with the roof: it calls a function as a tool would, right behind the
// function's definition, where a compiler might be tempted to skip the name.
#include "library.hpp"

#include <mpit/mpi_t.hpp>

extern "C" [[gnu::visibility("default")]] int read_beside_the_definition(MPI_T_pvar_session session,
                                                                         MPI_T_pvar_handle handle, void* value) {
    return MPI_T_pvar_read(session, handle, value);
}

extern "C" [[gnu::visibility("default")]] any_function read_function_of_second(int profiling) {
    return reinterpret_cast<any_function>(profiling != 0 ? &PMPI_T_pvar_read : &MPI_T_pvar_read);
}
