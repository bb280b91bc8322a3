/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI tool information interface as plain C, for libraries without an MPI and for the tools of such libraries. The
 * header has the types, the constants and the 51 functions of MPI-5.0, with the values of the ABI (chapters 15.3 and
 * 20). The header compiles as C99 and as C++.
 *
 *   #include <mpit/mpi_t.h>
 *   int provided, n;  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);  MPI_T_cvar_get_num(&n);
 *
 * If there is an mpi.h, include the mpi.h before this header. This header then adds only the types of events, if the
 * mpi.h is older than MPI-4.0. A library that must not export the names of MPI defines MPIT_C_PREFIX, for example as
 * LCI_T_. The functions are then LCI_T_cvar_get_num and so on. Hints need the 11 functions on info objects (chapter
 * 10), which are LCI_T_info_create and so on with the prefix, and MPI_Info_create and so on without a prefix if
 * MPIT_C_INFO is 1 in the library and its tools. Each function returns MPI_SUCCESS or an error code and throws nothing.
 * The comments in the folder mpit/mpi_t, for example in performance.hpp, describe error codes. Indices begin at 0.
 * Lengths of texts are in bytes and include the null. Any thread may call each function.
 * Only pvar_start, stop, read, write, reset and readreset, event_copy, event_read, event_get_source,
 * event_get_timestamp and source_get_timestamp are async-signal-safe. */
#ifndef MPIT_C_MPI_T_H
#define MPIT_C_MPI_T_H

/* For the library's own use. */
#define MPIT_C_JOIN_EXPANDED(a, b) a##b
#define MPIT_C_JOIN(a, b) MPIT_C_JOIN_EXPANDED(a, b)

/* 1 if the library exports functions on info objects. If MPIT_C_INFO is 0 and there is no mpi.h, MPI_INFO_NULL is the
 * only handle of an info object. The default is 1 only with a prefix, because a library's MPI_Info_create without a
 * prefix would be called in place of an MPI's MPI_Info_create. */
#ifndef MPIT_C_INFO
#if defined(MPIT_C_PREFIX) && !defined(MPI_VERSION)
#define MPIT_C_INFO 1
#else
#define MPIT_C_INFO 0
#endif
#endif

/* The prefix of the functions on info objects. */
#ifndef MPIT_C_INFO_PREFIX
#ifdef MPIT_C_PREFIX
#define MPIT_C_INFO_PREFIX MPIT_C_JOIN(MPIT_C_PREFIX, info_)
#else
#define MPIT_C_INFO_PREFIX MPI_Info_
#endif
#endif

#if !defined(MPI_VERSION)

#include <stdint.h>

/* The integers for addresses, counts and Fortran, and the opaque handles of the MPI-5.0 ABI. */
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int MPI_Fint;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_T_enum* MPI_T_enum;
typedef struct MPI_ABI_T_cvar_handle* MPI_T_cvar_handle;
typedef struct MPI_ABI_T_pvar_handle* MPI_T_pvar_handle;
typedef struct MPI_ABI_T_pvar_session* MPI_T_pvar_session;

/* Constants of the handle types. */
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)1)
#define MPI_INFO_NULL ((MPI_Info)0x00000130)
#define MPI_INFO_ENV ((MPI_Info)0x00000131)

/* The greatest lengths of an info key and of an info value, in bytes with the null. */
#define MPI_MAX_INFO_KEY 256
#define MPI_MAX_INFO_VAL 1024

/* The datatypes that a variable may have (table 15.4). */
#define MPI_COUNT ((MPI_Datatype)0x00000202)
#define MPI_INT ((MPI_Datatype)0x00000209)
#define MPI_UNSIGNED ((MPI_Datatype)0x0000020d)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x0000020e)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x0000020f)
#define MPI_DOUBLE ((MPI_Datatype)0x00000214)
#define MPI_CHAR ((MPI_Datatype)0x00000243)
#define MPI_INT32_T ((MPI_Datatype)0x00000250)
#define MPI_UINT32_T ((MPI_Datatype)0x00000251)
#define MPI_INT64_T ((MPI_Datatype)0x00000258)
#define MPI_UINT64_T ((MPI_Datatype)0x00000259)

/* Return codes of the functions on info objects (9.4). */
enum {
    MPI_ERR_ARG = 13,
    MPI_ERR_INFO_KEY = 31,
    MPI_ERR_INFO_NOKEY = 32,
    MPI_ERR_INFO_VALUE = 33,
    MPI_ERR_INFO = 34,
    MPI_ERR_NO_MEM = 39
};

/* Return codes of the functions of the tool information interface (15.3.10). */
enum {
    MPI_SUCCESS = 0,
    MPI_T_ERR_CANNOT_INIT = 1001,
    MPI_T_ERR_NOT_ACCESSIBLE = 1002,
    MPI_T_ERR_NOT_INITIALIZED = 1003,
    MPI_T_ERR_NOT_SUPPORTED = 1004,
    MPI_T_ERR_MEMORY = 1005,
    MPI_T_ERR_INVALID = 1006,
    MPI_T_ERR_INVALID_INDEX = 1007,
    MPI_T_ERR_INVALID_ITEM = 1008, /* deprecated since MPI-4.0, and never returned */
    MPI_T_ERR_INVALID_SESSION = 1009,
    MPI_T_ERR_INVALID_HANDLE = 1010,
    MPI_T_ERR_INVALID_NAME = 1011,
    MPI_T_ERR_OUT_OF_HANDLES = 1012,
    MPI_T_ERR_OUT_OF_SESSIONS = 1013,
    MPI_T_ERR_CVAR_SET_NOT_NOW = 1014,
    MPI_T_ERR_CVAR_SET_NEVER = 1015,
    MPI_T_ERR_PVAR_NO_WRITE = 1016,
    MPI_T_ERR_PVAR_NO_STARTSTOP = 1017,
    MPI_T_ERR_PVAR_NO_ATOMIC = 1018,
    MPI_ERR_LASTCODE = 16383
};

/* The levels of thread support of init_thread (11.6). */
enum { MPI_THREAD_SINGLE = 0, MPI_THREAD_FUNNELED = 1024, MPI_THREAD_SERIALIZED = 2048, MPI_THREAD_MULTIPLE = 4096 };

/* The verbosity of a variable, which is an audience or-ed with a level of detail (15.3.1). */
enum {
    MPI_T_VERBOSITY_USER_BASIC = 0x09,
    MPI_T_VERBOSITY_USER_DETAIL = 0x0a,
    MPI_T_VERBOSITY_USER_ALL = 0x0c,
    MPI_T_VERBOSITY_TUNER_BASIC = 0x11,
    MPI_T_VERBOSITY_TUNER_DETAIL = 0x12,
    MPI_T_VERBOSITY_TUNER_ALL = 0x14,
    MPI_T_VERBOSITY_MPIDEV_BASIC = 0x21,
    MPI_T_VERBOSITY_MPIDEV_DETAIL = 0x22,
    MPI_T_VERBOSITY_MPIDEV_ALL = 0x24
};

/* The kind of object that a variable is bound to (15.3.2). */
enum {
    MPI_T_BIND_NO_OBJECT = 1,
    MPI_T_BIND_MPI_COMM = 2,
    MPI_T_BIND_MPI_DATATYPE = 3,
    MPI_T_BIND_MPI_ERRHANDLER = 4,
    MPI_T_BIND_MPI_FILE = 5,
    MPI_T_BIND_MPI_GROUP = 6,
    MPI_T_BIND_MPI_OP = 7,
    MPI_T_BIND_MPI_REQUEST = 8,
    MPI_T_BIND_MPI_WIN = 9,
    MPI_T_BIND_MPI_MESSAGE = 10,
    MPI_T_BIND_MPI_INFO = 11,
    MPI_T_BIND_MPI_SESSION = 12
};

/* The scope of changes to a control variable (15.3.6). */
enum {
    MPI_T_SCOPE_CONSTANT = 1,
    MPI_T_SCOPE_READONLY = 2,
    MPI_T_SCOPE_LOCAL = 3,
    MPI_T_SCOPE_GROUP = 4,
    MPI_T_SCOPE_GROUP_EQ = 5,
    MPI_T_SCOPE_ALL = 6,
    MPI_T_SCOPE_ALL_EQ = 7
};

/* The classes of performance variables (15.3.7). */
enum {
    MPI_T_PVAR_CLASS_STATE = 1,
    MPI_T_PVAR_CLASS_LEVEL = 2,
    MPI_T_PVAR_CLASS_SIZE = 3,
    MPI_T_PVAR_CLASS_PERCENTAGE = 4,
    MPI_T_PVAR_CLASS_HIGHWATERMARK = 5,
    MPI_T_PVAR_CLASS_LOWWATERMARK = 6,
    MPI_T_PVAR_CLASS_COUNTER = 7,
    MPI_T_PVAR_CLASS_AGGREGATE = 8,
    MPI_T_PVAR_CLASS_TIMER = 9,
    MPI_T_PVAR_CLASS_GENERIC = 10
};

#endif /* no mpi.h */

/* The types and constants of events, which an mpi.h older than MPI-4.0 does not have. */
#if !defined(MPI_VERSION) || MPI_VERSION < 4

/* Handles of registrations and of event instances. The handle of an event instance is valid while the callback for the
 * instance runs. */
typedef struct MPI_ABI_T_event_registration* MPI_T_event_registration;
typedef struct MPI_ABI_T_event_instance* MPI_T_event_instance;

/* The safety that is required of a callback (15.3.8). In the ABI each level includes the bits of all levels with fewer
 * requirements; beside an older mpi.h the values are those of later versions of MPICH and Open MPI. The underlying type
 * of the enumeration is fixed in C++, because C code may pass any number. */
typedef enum MPI_T_cb_safety
#ifdef __cplusplus
    : unsigned
#endif
{
#ifdef MPI_VERSION
    MPI_T_CB_REQUIRE_NONE,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED,
    MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE
#else
    MPI_T_CB_REQUIRE_NONE = 0x00,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED = 0x03,
    MPI_T_CB_REQUIRE_THREAD_SAFE = 0x0F,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 0x3F
#endif
} MPI_T_cb_safety;

/* MPI_T_SOURCE_ORDERED means that the timestamps of a source never decrease for a callback. */
#ifdef MPI_VERSION
typedef enum MPI_T_source_order { MPI_T_SOURCE_ORDERED, MPI_T_SOURCE_UNORDERED } MPI_T_source_order;
#else
typedef enum MPI_T_source_order { MPI_T_SOURCE_ORDERED = 1, MPI_T_SOURCE_UNORDERED = 2 } MPI_T_source_order;
#endif

/* The three kinds of callbacks of a registration. The first kind receives an event instance. The second kind is called
 * when the registration is freed. The third kind receives the number of dropped events. Callbacks run in the threads
 * that raise events, at the level `cb_safety`, and in signal handlers if the callbacks were registered as
 * async-signal-safe. */
typedef void(MPI_T_event_cb_function)(MPI_T_event_instance event_instance, MPI_T_event_registration event_registration,
                                      MPI_T_cb_safety cb_safety, void* user_data);
typedef void(MPI_T_event_free_cb_function)(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                           void* user_data);
typedef void(MPI_T_event_dropped_cb_function)(MPI_Count count, MPI_T_event_registration event_registration,
                                              int source_index, MPI_T_cb_safety cb_safety, void* user_data);

#endif /* no mpi.h, or an mpi.h without events */

#if !defined(MPI_VERSION) || defined(MPIT_C_PREFIX)

/* The prefix of the functions. */
#ifndef MPIT_C_PREFIX
#define MPIT_C_PREFIX MPI_T_
/* For the library's own use. */
#define MPIT_C_HAS_PREFIX 0
#else
#define MPIT_C_HAS_PREFIX 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* For the library's own use. */
#define MPIT_C_PLAIN(name) MPIT_C_JOIN(MPIT_C_PREFIX, name)
#define MPIT_C_PROFILED(name) MPIT_C_JOIN(P, MPIT_C_PLAIN(name))

/* The functions of 15.3, from the table in mpit/mpi_t/functions.def, under their plain names and under the names of the
 * profiling interface (15.2). The macro is for the library's own use. */
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments)                                                     \
    int MPIT_C_PLAIN(name) parameters;                                                                                 \
    int MPIT_C_PROFILED(name) parameters;
#include <mpit/mpi_t/functions.def>

#ifdef __cplusplus
}
#endif

#endif /* no mpi.h, or a prefix */

#if MPIT_C_INFO

#define MPIT_C_INFO_PLAIN(name) MPIT_C_JOIN(MPIT_C_INFO_PREFIX, name) /* For the library's own use. */
#define MPIT_C_INFO_PROFILED(name) MPIT_C_JOIN(P, MPIT_C_INFO_PLAIN(name))

#pragma GCC diagnostic push /* an mpi.h may declare some of these functions */
#pragma GCC diagnostic ignored "-Wredundant-decls"
#ifdef __cplusplus
extern "C" {
#endif

/* Chapter 10. An info object contains pairs of texts. The functions on info objects need no initialization. */
int MPIT_C_INFO_PLAIN(create)(MPI_Info* info);
int MPIT_C_INFO_PLAIN(create_env)(int argc, char* argv[], MPI_Info* info);
int MPIT_C_INFO_PLAIN(delete)(MPI_Info info, const char* key);
int MPIT_C_INFO_PLAIN(dup)(MPI_Info info, MPI_Info* newinfo);
int MPIT_C_INFO_PLAIN(free)(MPI_Info* info);
int MPIT_C_INFO_PLAIN(get)(MPI_Info info, const char* key, int valuelen, char* value, int* flag); /* deprecated */
int MPIT_C_INFO_PLAIN(get_nkeys)(MPI_Info info, int* nkeys);
int MPIT_C_INFO_PLAIN(get_nthkey)(MPI_Info info, int n, char* key);
int MPIT_C_INFO_PLAIN(get_string)(MPI_Info info, const char* key, int* buflen, char* value, int* flag);
int MPIT_C_INFO_PLAIN(get_valuelen)(MPI_Info info, const char* key, int* valuelen, int* flag); /* deprecated */
int MPIT_C_INFO_PLAIN(set)(MPI_Info info, const char* key, const char* value);

/* The functions on info objects under the names of the profiling interface. */
int MPIT_C_INFO_PROFILED(create)(MPI_Info* info);
int MPIT_C_INFO_PROFILED(create_env)(int argc, char* argv[], MPI_Info* info);
int MPIT_C_INFO_PROFILED(delete)(MPI_Info info, const char* key);
int MPIT_C_INFO_PROFILED(dup)(MPI_Info info, MPI_Info* newinfo);
int MPIT_C_INFO_PROFILED(free)(MPI_Info* info);
int MPIT_C_INFO_PROFILED(get)(MPI_Info info, const char* key, int valuelen, char* value, int* flag);
int MPIT_C_INFO_PROFILED(get_nkeys)(MPI_Info info, int* nkeys);
int MPIT_C_INFO_PROFILED(get_nthkey)(MPI_Info info, int n, char* key);
int MPIT_C_INFO_PROFILED(get_string)(MPI_Info info, const char* key, int* buflen, char* value, int* flag);
int MPIT_C_INFO_PROFILED(get_valuelen)(MPI_Info info, const char* key, int* valuelen, int* flag);
int MPIT_C_INFO_PROFILED(set)(MPI_Info info, const char* key, const char* value);

#if !defined(MPI_VERSION)
/* 19.3.4 The INTEGER of an info object in Fortran, if the library has functions for Fortran (mpit/mpi_t/fortran.hpp).
 * */
MPI_Fint MPIT_C_INFO_PLAIN(c2f)(MPI_Info info);
MPI_Info MPIT_C_INFO_PLAIN(f2c)(MPI_Fint info);
MPI_Fint MPIT_C_INFO_PROFILED(c2f)(MPI_Info info);
MPI_Info MPIT_C_INFO_PROFILED(f2c)(MPI_Fint info);
#endif

#ifdef __cplusplus
}
#endif
#pragma GCC diagnostic pop

#endif /* functions on info objects */

#endif /* MPIT_C_MPI_T_H */
