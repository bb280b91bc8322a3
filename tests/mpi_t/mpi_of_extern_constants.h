/* An mpi.h whose constant handles are objects of its library, as MPI_T_PVAR_ALL_HANDLES of MPICH: no constant
 * expression has them. */
#ifndef TESTS_MPI_OF_EXTERN_CONSTANTS_H
#define TESTS_MPI_OF_EXTERN_CONSTANTS_H

#include <mpi.h>

#undef MPI_T_ENUM_NULL
#undef MPI_T_CVAR_HANDLE_NULL
#undef MPI_T_PVAR_SESSION_NULL
#undef MPI_T_PVAR_HANDLE_NULL
#undef MPI_T_PVAR_ALL_HANDLES

#ifdef __cplusplus
extern "C" {
#endif
extern const MPI_T_enum MPI_T_ENUM_NULL;
extern const MPI_T_cvar_handle MPI_T_CVAR_HANDLE_NULL;
extern const MPI_T_pvar_session MPI_T_PVAR_SESSION_NULL;
extern const MPI_T_pvar_handle MPI_T_PVAR_HANDLE_NULL;
extern const MPI_T_pvar_handle MPI_T_PVAR_ALL_HANDLES;
#ifdef __cplusplus
}
#endif

#endif
