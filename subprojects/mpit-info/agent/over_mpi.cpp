// The agent that reads an MPI, and the registry of mpit beside it: compiled once for each mpi.h, linked with no MPI.
// Its functions are found by name (mpi_functions.hpp).
#define MPIT_MPI_HEADER <mpi.h>
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "mpi_functions.hpp"

#include "agent.hpp"
#include "over_mpi_and_registry.hpp"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

static std::string first_line(std::string text) {
    text.resize(std::min(text.find('\n'), text.size()));
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text;
}

// The rank and size of a process with sessions only, from its launcher's environment variables.
static int number_from(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names)
        if (const char* text = std::getenv(name); text != nullptr && *text != '\0') return std::atoi(text);
    return otherwise;
}

static mpit_info::find_function find_in_mpi;

static mpit_info::whereabouts find_out() {
    mpit_info::whereabouts here;
    here.calls = MPIT_INFO_INTERFACE;
    here.find = find_in_mpi;
    int version = 0, part = 0, length = 0, has_begun = 0, has_ended = 0;
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    here.interface = "MPI_T";
    if (MPI_Get_version(&version, &part) == MPI_SUCCESS) here.mpi_version = {version, part};
    if (MPI_Get_library_version(library, &length) == MPI_SUCCESS) here.library = first_line(library);
    MPI_Initialized(&has_begun);
    MPI_Finalized(&has_ended);
    if (has_begun == 0 || has_ended != 0) {
        here.rank = number_from({"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"}, 0);
        here.processes = number_from({"PMI_SIZE", "OMPI_COMM_WORLD_SIZE"}, 1);
        return here;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.processes);
    here.objects.push_back({mpit::binding::communicator, MPI_COMM_WORLD, "MPI_COMM_WORLD"});
    return here;
}

// Ends what the agent has begun, which it keeps otherwise: as long as the tool interface of Open MPI 6 is in use, a process
// without a launcher leaves a file in /dev/shm. Other versions keep one use: after a last finalize they crash, or give
// variables other indices.
static void end_all_uses() {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, version = 0;
    if (MPI_Get_library_version(library, &length) == MPI_SUCCESS &&
        std::sscanf(library, "Open MPI v%d", &version) == 1 && version >= 6)
        mpit_info::over_mpi_and_registry::finalize_all();
    mpit_info::leave_mpi();
}

extern "C" {
[[gnu::visibility("default")]] int mpit_info_use(mpit_info::find_function find) {
    find_in_mpi = find;
    return mpit_info::use_mpi(find) ? 1 : 0;
}
[[gnu::visibility("default")]] int mpit_info_begin(const char* moment) {
    const int answer = mpit_info::agent<mpit_info::over_mpi_and_registry>::begin(moment, find_out());
    if (answer == 1) end_all_uses();
    return answer;
}
// Returns 0 if a thread of the agent does not end: its references to the MPI are kept, and it calls no function of it
// any more.
[[gnu::visibility("default")]] int mpit_info_end(const char* moment) {
    const bool has_ended = mpit_info::agent<mpit_info::over_mpi_and_registry>::end(moment);
    if (has_ended) end_all_uses();
    else mpit_info::leave_mpi();
    return has_ended ? 1 : 0;
}
// No function of the MPI is called any more. A sample that is taken meanwhile has no values.
[[gnu::visibility("default")]] void mpit_info_leave(const char* moment) {
    mpit_info::leave_mpi();
    mpit_info::agent<mpit_info::over_mpi_and_registry>::leave(moment);
}
}
