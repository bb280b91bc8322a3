/* SPDX-License-Identifier: BSD-3-Clause */
/* The types and constants of events, with the values of MPI-5.0's ABI: for where there is no mpi.h, and beside one from
 * before MPI-4.0, which has none of them.
 *
 *   #include <mpi.h>
 *   #include <mpit/mpi_t.h>     includes this where it is needed */
#include <mpit/mpi_t.h>

#ifndef MPIT_C_MPI_T_EVENT_H
#define MPIT_C_MPI_T_EVENT_H

/* Handles of a registration, and of an instance, which is valid while its callback runs. */
typedef struct MPI_ABI_T_event_registration* MPI_T_event_registration;
typedef struct MPI_ABI_T_event_instance* MPI_T_event_instance;

/* What a callback may do (15.3.8): each level includes the bits of the ones below. C passes any number, so that C++ must
   expect it. */
#ifdef __cplusplus
typedef enum MPI_T_cb_safety : unsigned {
#else
typedef enum MPI_T_cb_safety {
#endif
    MPI_T_CB_REQUIRE_NONE = 0x00,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED = 0x03,
    MPI_T_CB_REQUIRE_THREAD_SAFE = 0x0F,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 0x3F
} MPI_T_cb_safety;

/* Whether the time stamps of a source never go back for a callback. */
typedef enum MPI_T_source_order { MPI_T_SOURCE_ORDERED = 1, MPI_T_SOURCE_UNORDERED = 2 } MPI_T_source_order;

/* A callback of an event, the one at the end of its registration, and the one that is told how many events were lost. They run in
 * the threads that raise events, at the level `cb_safety`: in signal handlers too, if they were registered for that. */
typedef void(MPI_T_event_cb_function)(MPI_T_event_instance event_instance, MPI_T_event_registration event_registration,
                                      MPI_T_cb_safety cb_safety, void* user_data);
typedef void(MPI_T_event_free_cb_function)(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                           void* user_data);
typedef void(MPI_T_event_dropped_cb_function)(MPI_Count count, MPI_T_event_registration event_registration,
                                              int source_index, MPI_T_cb_safety cb_safety, void* user_data);

#endif /* MPIT_C_MPI_T_EVENT_H */
