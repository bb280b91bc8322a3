// An mpi.h whose types of callbacks are pointers, as those of Open MPI 6.
#pragma once

#define MPI_T_event_cb_function event_cb_of_the_standard
#define MPI_T_event_free_cb_function event_free_cb_of_the_standard
#define MPI_T_event_dropped_cb_function event_dropped_cb_of_the_standard
#include <mpi.h>
#undef MPI_T_event_cb_function
#undef MPI_T_event_free_cb_function
#undef MPI_T_event_dropped_cb_function

typedef event_cb_of_the_standard* MPI_T_event_cb_function;
typedef event_free_cb_of_the_standard* MPI_T_event_free_cb_function;
typedef event_dropped_cb_of_the_standard* MPI_T_event_dropped_cb_function;
