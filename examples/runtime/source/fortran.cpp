// The functions for Fortran besides those on names and hints (include/mpif.h): the beginning and end of MPI, and
// communicators. Each function calls the one for C, under the names that all compilers give it.
#include "error.hpp"

#define MPIT_MPI_HEADER <mpi.h>
#define MPIT_FORTRAN_NAMES all
#include <mpit/mpi_t/fortran_call.hpp>

// MPI_INIT(IERROR)
MPIT_FORTRAN_FUNCTION(init, INIT, (MPI_Fint * ierror)) { *ierror = PMPI_Init(nullptr, nullptr); }

// MPI_INITIALIZED(FLAG, IERROR)
MPIT_FORTRAN_FUNCTION(initialized, INITIALIZED, (MPI_Fint * flag, MPI_Fint* ierror)) {
    int is_initialized = 0;
    *ierror = PMPI_Initialized(&is_initialized);
    *flag = mpit::mpi_t::logical_of(is_initialized);
}

// MPI_FINALIZE(IERROR)
MPIT_FORTRAN_FUNCTION(finalize, FINALIZE, (MPI_Fint * ierror)) { *ierror = PMPI_Finalize(); }

// MPI_FINALIZED(FLAG, IERROR)
MPIT_FORTRAN_FUNCTION(finalized, FINALIZED, (MPI_Fint * flag, MPI_Fint* ierror)) {
    int is_finalized = 0;
    *ierror = PMPI_Finalized(&is_finalized);
    *flag = mpit::mpi_t::logical_of(is_finalized);
}

// MPI_COMM_RANK(COMM, RANK, IERROR)
MPIT_FORTRAN_FUNCTION(comm_rank, COMM_RANK, (const MPI_Fint* comm, MPI_Fint* rank, MPI_Fint* ierror)) {
    *ierror = PMPI_Comm_rank(PMPI_Comm_f2c(*comm), rank);
}

// MPI_COMM_SIZE(COMM, SIZE, IERROR)
MPIT_FORTRAN_FUNCTION(comm_size, COMM_SIZE, (const MPI_Fint* comm, MPI_Fint* size, MPI_Fint* ierror)) {
    *ierror = PMPI_Comm_size(PMPI_Comm_f2c(*comm), size);
}

// MPI_COMM_DUP(COMM, NEWCOMM, IERROR)
MPIT_FORTRAN_FUNCTION(comm_dup, COMM_DUP, (const MPI_Fint* comm, MPI_Fint* newcomm, MPI_Fint* ierror)) {
    MPI_Comm copy = MPI_COMM_NULL;
    *ierror = PMPI_Comm_dup(PMPI_Comm_f2c(*comm), &copy);
    if (*ierror == MPI_SUCCESS) *newcomm = PMPI_Comm_c2f(copy);
}

// MPI_COMM_FREE(COMM, IERROR)
MPIT_FORTRAN_FUNCTION(comm_free, COMM_FREE, (MPI_Fint * comm, MPI_Fint* ierror)) {
    MPI_Comm ended = PMPI_Comm_f2c(*comm);
    *ierror = PMPI_Comm_free(&ended);
    if (*ierror == MPI_SUCCESS) *comm = PMPI_Comm_c2f(ended);
}

// MPI_BARRIER(COMM, IERROR)
MPIT_FORTRAN_FUNCTION(barrier, BARRIER, (const MPI_Fint* comm, MPI_Fint* ierror)) {
    *ierror = PMPI_Barrier(PMPI_Comm_f2c(*comm));
}

// MPI_COMM_SET_ERRHANDLER(COMM, ERRHANDLER, IERROR). The handlers of the runtime are constants, with one value in all
// languages.
MPIT_FORTRAN_FUNCTION(comm_set_errhandler, COMM_SET_ERRHANDLER,
                      (const MPI_Fint* comm, const MPI_Fint* errhandler, MPI_Fint* ierror)) {
    const auto handler = reinterpret_cast<MPI_Errhandler>(static_cast<std::uintptr_t>(*errhandler));
    *ierror = PMPI_Comm_set_errhandler(PMPI_Comm_f2c(*comm), handler);
}
