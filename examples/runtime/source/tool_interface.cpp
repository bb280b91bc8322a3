// The tool information interface of the runtime: this file defines all MPI_T_ functions, the MPI_Info_ functions that
// hints need, those that name objects, both also for Fortran, and their profiling twins, with the types and constants
// of the runtime's own mpi.h. A failure of MPI_Info_ calls the runtime's error handler; a failure of MPI_T_ does not.
#include "communicator.hpp"
#include "hints.hpp"
#include "object_name.hpp"

#define MPIT_MPI_HEADER <mpi.h>
#define MPIT_C_INFO 1
#define MPIT_C_INFO_ERROR(code) mini::raise_on_self(code)
#define MPIT_C_OBJECT_NAMES mini::object_names
#define MPIT_FORTRAN_NAMES all
#include <mpit/mpi_t.hpp>

namespace mini {

int check_hints(MPI_Info hints) {
    return hints == MPI_INFO_NULL || mpit::mpi_t::is_info(hints) ? MPI_SUCCESS : MPI_ERR_INFO;
}

int create_hints(MPI_Info* hints) {
    return mpit::mpi_t::make_info({}, *hints) == mpit::result::success ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

} // namespace mini
