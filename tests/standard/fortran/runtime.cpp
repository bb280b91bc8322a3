// The roof of the runtime, with the names that MPIT_FORTRAN_NAMES says, for a compiler whose .true. is -1.
#include "runtime.hpp"

#define MPIT_MPI_HEADER <mpi.h>
#define MPIT_C_INFO 1
#define MPIT_C_OBJECT_NAMES only_objects
#define MPIT_FORTRAN_TRUE -1
#include <mpit/mpi_t.hpp>

MPI_Comm MPI_Comm_f2c(MPI_Fint comm) { return only_objects::from_fortran(comm, MPI_COMM_NULL); }
MPI_Datatype MPI_Type_f2c(MPI_Fint datatype) { return only_objects::from_fortran(datatype, MPI_DATATYPE_NULL); }
MPI_Win MPI_Win_f2c(MPI_Fint win) { return only_objects::from_fortran(win, MPI_WIN_NULL); }
