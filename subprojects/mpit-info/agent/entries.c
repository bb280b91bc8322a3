/* The functions by which an MPI is started and ended, in front of those of the MPI. In MPICH and Open MPI the ones
 * for C++, Java and all of Fortran call those for C, with or without P. In a library linked with -Bsymbolic they do
 * not, so that those for Fortran are here as well, under the symbols of all compilers.
 *
 * A program must not find a function here that its MPI does not have. A version that is not the default one hides
 * them from dlsym(), while a reference of a program or library is bound to them as before (versions.map). */
#include "any_libc.h"

#include "preload.h"

#include <stddef.h>

/* How many of these functions this thread is in: Fortran's calls that for C, and a profiler's that with P. The
 * outermost counts. */
static __thread int depth IN_FIRST_BLOCK;

#define IN_FRONT(name)                                                                                                 \
    __asm__(".symver front_" #name ", " #name "@MPIT_INFO");                                                           \
    __attribute__((visibility("default")))
/* The code of MPIs for an unspecific error; without an MPI the caller has used a missing function. */
enum { success = 0, no_mpi = 16 };

/* Handles are numbers or addresses; both are handed on in the same register. */
#define START_IN_C(name, how, session, parameters, arguments)                                                          \
    IN_FRONT(name) int front_##name parameters;                                                                        \
    int front_##name parameters {                                                                                      \
        const void* const caller = __builtin_return_address(0);                                                        \
        int(*const next) parameters = (int(*) parameters)next_function(#name, caller);                                 \
        if (next == NULL) return no_mpi;                                                                               \
        depth++;                                                                                                       \
        const int code = next arguments;                                                                               \
        if (--depth == 0 && code == success) after_start(how, session, caller);                                        \
        return code;                                                                                                   \
    }
#define END_IN_C(name, parameters, arguments, before)                                                                  \
    IN_FRONT(name) int front_##name parameters;                                                                        \
    int front_##name parameters {                                                                                      \
        const void* const caller = __builtin_return_address(0);                                                        \
        int(*const next) parameters = (int(*) parameters)next_function(#name, caller);                                 \
        before;                                                                                                        \
        if (next == NULL) return no_mpi;                                                                               \
        depth++;                                                                                                       \
        const int answer = next arguments;                                                                             \
        depth--;                                                                                                       \
        return answer;                                                                                                 \
    }

#define ENTRIES_IN_C(prefix)                                                                                           \
    START_IN_C(prefix##MPI_Init, by_world, NULL, (int* argc, char*** argv), (argc, argv))                              \
    START_IN_C(prefix##MPI_Init_thread, by_world, NULL, (int* argc, char*** argv, int required, int* provided),        \
               (argc, argv, required, provided))                                                                       \
    START_IN_C(prefix##MPI_Session_init, by_session, session, (void* info, void* handler, void* session),              \
               (info, handler, session))                                                                               \
    END_IN_C(prefix##MPI_Finalize, (void), (), if (depth == 0) before_end(caller))                                     \
    END_IN_C(prefix##MPI_Session_finalize, (void* session), (session), if (depth == 0) before_end(caller))             \
    END_IN_C(prefix##MPI_Abort, (void* comm, int code), (comm, code), before_abort())

ENTRIES_IN_C()
ENTRIES_IN_C(P)

/* The error is optional in mpi_f08: who does not ask for it is ended by the MPI where there is one. */
#define START_IN_FORTRAN(name, how, parameters, arguments)                                                             \
    IN_FRONT(name) void front_##name parameters;                                                                       \
    void front_##name parameters {                                                                                     \
        const void* const caller = __builtin_return_address(0);                                                        \
        void(*const next) parameters = (void(*) parameters)next_function(#name, caller);                               \
        int own = no_mpi;                                                                                              \
        if (error == NULL) error = &own;                                                                               \
        *error = no_mpi;                                                                                               \
        if (next == NULL) return;                                                                                      \
        depth++;                                                                                                       \
        next arguments;                                                                                                \
        if (--depth == 0 && *error == success) after_start(how, NULL, caller);                                         \
    }
#define END_IN_FORTRAN(name, parameters, arguments, before)                                                            \
    IN_FRONT(name) void front_##name parameters;                                                                       \
    void front_##name parameters {                                                                                     \
        const void* const caller = __builtin_return_address(0);                                                        \
        void(*const next) parameters = (void(*) parameters)next_function(#name, caller);                               \
        (void)caller;                                                                                                  \
        before;                                                                                                        \
        if (next == NULL) return;                                                                                      \
        depth++;                                                                                                       \
        next arguments;                                                                                                \
        depth--;                                                                                                       \
    }

#define ENTRIES_IN_FORTRAN(init, init_thread, finalize, session_init, session_finalize, abort)                         \
    START_IN_FORTRAN(init, by_world, (int* error), (error))                                                            \
    START_IN_FORTRAN(init_thread, by_world, (int* required, int* provided, int* error), (required, provided, error))   \
    START_IN_FORTRAN(session_init, by_session, (void* info, void* handler, void* session, int* error),                 \
                     (info, handler, session, error))                                                                  \
    END_IN_FORTRAN(finalize, (int* error), (error), if (depth == 0) before_end(caller))                                \
    END_IN_FORTRAN(session_finalize, (void* session, int* error), (session, error),                                    \
                   if (depth == 0) before_end(caller))                                                                 \
    END_IN_FORTRAN(abort, (void* comm, int* code, int* error), (comm, code, error), before_abort())

ENTRIES_IN_FORTRAN(mpi_init_, mpi_init_thread_, mpi_finalize_, mpi_session_init_, mpi_session_finalize_, mpi_abort_)
ENTRIES_IN_FORTRAN(mpi_init__, mpi_init_thread__, mpi_finalize__, mpi_session_init__, mpi_session_finalize__,
                   mpi_abort__)
ENTRIES_IN_FORTRAN(mpi_init, mpi_init_thread, mpi_finalize, mpi_session_init, mpi_session_finalize, mpi_abort)
ENTRIES_IN_FORTRAN(MPI_INIT, MPI_INIT_THREAD, MPI_FINALIZE, MPI_SESSION_INIT, MPI_SESSION_FINALIZE, MPI_ABORT)
ENTRIES_IN_FORTRAN(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_, mpi_session_init_f08_,
                   mpi_session_finalize_f08_, mpi_abort_f08_)
ENTRIES_IN_FORTRAN(MPI_Init_f08, MPI_Init_thread_f08, MPI_Finalize_f08, MPI_Session_init_f08, MPI_Session_finalize_f08,
                   MPI_Abort_f08)
