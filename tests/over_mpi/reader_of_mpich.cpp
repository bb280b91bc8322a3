// What a reader does not ask of MPICH, because that leaves it undefined: a reader that was compiled with the header of MPICH, and one with
// that of the standard's binary interface. The reader calls the host itself, without shims between them.
#include <mpi.h>

#define MPI_Get_library_version PMPI_Get_library_version
#define MPI_Initialized PMPI_Initialized
#define MPI_Finalized PMPI_Finalized
#define MPI_Query_thread PMPI_Query_thread
#define MPI_T_init_thread PMPI_T_init_thread
#define MPI_T_finalize PMPI_T_finalize
#define MPI_T_cvar_get_num PMPI_T_cvar_get_num
#define MPI_T_pvar_get_num PMPI_T_pvar_get_num
#define MPI_T_category_get_num PMPI_T_category_get_num
#define MPI_T_source_get_num PMPI_T_source_get_num
#define MPI_T_event_get_num PMPI_T_event_get_num
#define MPI_T_event_get_info PMPI_T_event_get_info
#define MPI_T_enum_get_info PMPI_T_enum_get_info
#define MPI_T_enum_get_item PMPI_T_enum_get_item

#include "../catch.hpp"
#include "odd_host.hpp"

#include <mpit/tool/over_mpi.hpp>

TEST_CASE("A reader does not look at the enumeration of an event, which MPICH never sets", "[over_mpi]") {
    static int left_over = 0;
    odd_host::the_host().version = "MPICH Version:      5.0.2";
    odd_host::the_host().events.push_back({.name = "left_event", .elements = {{MPI_INT, 0, sizeof(int)}}, .size = sizeof(int),
                                           .enumeration = reinterpret_cast<MPI_T_enum>(&left_over)});
    {
        const mpit::tool::library<mpit::tool::over_mpi> mpi;
        int seen = 0;
        for (const mpit::tool::event_info& each : mpi.events()) {
            seen++;
            CHECK(each.name == "left_event");
            CHECK(each.elements.size() == 1);
        }
        CHECK(seen == 1);
    }
    CHECK(odd_host::the_host().crashes == 0);
}
