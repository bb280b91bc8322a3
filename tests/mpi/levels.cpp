// The level of thread support that an MPI has given stays as it is, whatever a tool asks the tool interface for, which
// gives every level.
//
//   levels functions 3 0 3    MPI_Init_thread(3), then an epoch of level 0 and one of level 3, through the shims beside the MPI
//   levels reader 1 3         MPI_Init_thread(1), then the typed reader
//   levels functions b0 3 3   an epoch before MPI_Init_thread
#define MPIT_MPI_HEADER <mpi.h>
#include <mpi.h>

#include <mpit/tool/over_mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool is_good = true;
void check(const char* what, int seen, int wanted) {
    if (seen == wanted) return;
    std::printf("%s: %d instead of %d\n", what, seen, wanted);
    is_good = false;
}

void begin_and_end(bool by_reader, int level) {
    mpit::thread_level required{};
    check("a level", mpit::mpi_t::level_of(level, required), 1);
    if (by_reader) {
        const mpit::tool::library<mpit::tool::over_mpi> interface{required};
        check("the reader", static_cast<bool>(interface), 1);
        return;
    }
    int provided = -1;
    check("MPI_T_init_thread", MPI_T_init_thread(level, &provided), MPI_SUCCESS);
    check("the level of the tool interface", provided, level);
    check("MPI_T_finalize", MPI_T_finalize(), MPI_SUCCESS);
}

} // namespace

int main(int count, char** words) {
    if (count < 4) return 2;
    const bool by_reader = std::strcmp(words[1], "reader") == 0;
    int next = 2, given = -1, level = -1, is_main = 0;
    if (*words[next] == 'b') begin_and_end(by_reader, std::atoi(words[next++] + 1));
    const int required = std::atoi(words[next++]);
    MPI_Init_thread(&count, &words, required, &given);
    check("MPI_Init_thread", given, required);
    for (; next < count; next++) {
        begin_and_end(by_reader, std::atoi(words[next]));
        MPI_Query_thread(&level);
        check("MPI_Query_thread", level, given);
        MPI_Is_thread_main(&is_main);
        check("MPI_Is_thread_main", is_main, 1);
    }
    MPI_Finalize();
    return is_good ? 0 : 1;
}
