// What a reader that was compiled with the header of the standard's binary interface does not ask of an Open MPI, which would end the
// process. The reader calls the host itself, without shims between them.
#include <mpi.h>

#define MPI_Get_library_version PMPI_Get_library_version
#define MPI_Initialized PMPI_Initialized
#define MPI_Finalized PMPI_Finalized
#define MPI_Query_thread PMPI_Query_thread
#define MPI_T_init_thread PMPI_T_init_thread
#define MPI_T_finalize PMPI_T_finalize
#define MPI_T_cvar_get_num PMPI_T_cvar_get_num
#define MPI_T_pvar_get_num PMPI_T_pvar_get_num
#define MPI_T_pvar_get_info PMPI_T_pvar_get_info
#define MPI_T_pvar_session_create PMPI_T_pvar_session_create
#define MPI_T_pvar_session_free PMPI_T_pvar_session_free
#define MPI_T_pvar_handle_alloc PMPI_T_pvar_handle_alloc
#define MPI_T_pvar_handle_free PMPI_T_pvar_handle_free
#define MPI_T_category_get_num PMPI_T_category_get_num
#define MPI_T_event_get_num PMPI_T_event_get_num
#define MPI_T_source_get_num PMPI_T_source_get_num
#define MPI_T_enum_get_info PMPI_T_enum_get_info
#define MPI_T_enum_get_item PMPI_T_enum_get_item

#include "../catch.hpp"
#include "odd_host.hpp"

#include <mpit/tool/over_mpi.hpp>

#include <unistd.h>

TEST_CASE("A reader allocates no handle on a variable of Open MPI for Omni-Path on a machine without that network", "[over_mpi]") {
    if (access("/dev/hfi1_0", F_OK) == 0) return std::puts("skipped: this machine has Omni-Path"), void();
    odd_host::host& host = odd_host::the_host();
    host.version = "Open MPI v6.0.0rc2, package: a test";
    host.performances.push_back({.name = "mtl_psm2_rx_user_bytes"});
    host.performances.push_back({.name = "pml_ob1_unexpected_msgq_length"});
    {
        const mpit::tool::library<mpit::tool::over_mpi> mpi;
        const auto session = mpi.session();
        CHECK(session.performance<mpit::tool::any_value>(0).answer() == mpit::result::not_supported);
        CHECK(session.performance<mpit::tool::any_value>(1).answer() == mpit::result::success);
    }
    CHECK(host.crashes == 0);
    CHECK(host.epochs == 1); // that which is never ended, since Open MPI does not survive another beginning
}
