// The agent that reads an MPI, compiled with the header of each of them, and linked with none: the functions are those of
// the process.
#define MPIT_MPI_HEADER <mpi.h>
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <mpit/tool/over_mpi.hpp>

#include "agent.hpp"

static std::string first_line(std::string text) {
    text.resize(std::min(text.find('\n'), text.size()));
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text;
}

static mpit_info::whereabouts find_out() {
    mpit_info::whereabouts here;
    int version = 0, part = 0, length = 0, has_begun = 0, has_ended = 0;
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    here.interface = "MPI_T";
    if (MPI_Get_version(&version, &part) == MPI_SUCCESS) here.mpi_version = {version, part};
    if (MPI_Get_library_version(library, &length) == MPI_SUCCESS) here.library = first_line(library);
    MPI_Initialized(&has_begun);
    MPI_Finalized(&has_ended);
    if (has_begun == 0 || has_ended != 0) return here;
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.processes);
    return here;
}

extern "C" [[gnu::visibility("default")]] int mpit_info_begin(const char* moment) {
    return mpit_info::agent<mpit::tool::over_mpi>::begin(moment, find_out());
}
extern "C" [[gnu::visibility("default")]] void mpit_info_end(const char* moment) {
    mpit_info::agent<mpit::tool::over_mpi>::end(moment);
}
