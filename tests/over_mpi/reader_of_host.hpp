// For a reader that calls the host of the tests itself, without shims between them: the host has the functions under their
// profiling names.
//     #include "reader_of_host.hpp"     // in front of the reader
#pragma once

#include <mpi.h>

#define MPI_Get_library_version PMPI_Get_library_version
#define MPI_Initialized PMPI_Initialized
#define MPI_Finalized PMPI_Finalized
#define MPI_Query_thread PMPI_Query_thread
#define MPI_T_init_thread PMPI_T_init_thread
#define MPI_T_finalize PMPI_T_finalize
#define MPI_T_cvar_get_num PMPI_T_cvar_get_num
#define MPI_T_cvar_get_info PMPI_T_cvar_get_info
#define MPI_T_pvar_get_num PMPI_T_pvar_get_num
#define MPI_T_pvar_get_info PMPI_T_pvar_get_info
#define MPI_T_pvar_session_create PMPI_T_pvar_session_create
#define MPI_T_pvar_session_free PMPI_T_pvar_session_free
#define MPI_T_pvar_handle_alloc PMPI_T_pvar_handle_alloc
#define MPI_T_pvar_handle_free PMPI_T_pvar_handle_free
#define MPI_T_category_get_num PMPI_T_category_get_num
#define MPI_T_category_get_info PMPI_T_category_get_info
#define MPI_T_event_get_num PMPI_T_event_get_num
#define MPI_T_event_get_info PMPI_T_event_get_info
#define MPI_T_source_get_num PMPI_T_source_get_num
#define MPI_T_source_get_info PMPI_T_source_get_info
#define MPI_T_cvar_handle_alloc PMPI_T_cvar_handle_alloc
#define MPI_T_cvar_handle_free PMPI_T_cvar_handle_free
#define MPI_T_category_get_num_events PMPI_T_category_get_num_events
#define MPI_T_category_get_cvars PMPI_T_category_get_cvars
#define MPI_T_category_get_pvars PMPI_T_category_get_pvars
#define MPI_T_category_get_events PMPI_T_category_get_events
#define MPI_T_category_get_categories PMPI_T_category_get_categories
#define MPI_T_event_handle_alloc PMPI_T_event_handle_alloc
#define MPI_T_event_handle_free PMPI_T_event_handle_free
#define MPI_T_event_register_callback PMPI_T_event_register_callback
#define MPI_T_event_set_dropped_handler PMPI_T_event_set_dropped_handler
#define MPI_T_event_read PMPI_T_event_read
#define MPI_T_event_copy PMPI_T_event_copy
#define MPI_T_enum_get_info PMPI_T_enum_get_info
#define MPI_T_enum_get_item PMPI_T_enum_get_item

#include "../catch.hpp"
#include "mock_host.hpp"

#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/collective/description.hpp>
#include <mpit/tool/over_mpi.hpp>
