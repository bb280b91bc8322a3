// A program that is linked with an archive: its variables are found, whatever use.cpp does with them.
//     program <name of a counter> <calls that are counted> <number of categories>
// The exit status is the number of what is wrong.
#include <mpit/mpi_t.h>
#include <mpit/report_handler.hpp>

#include <cstdio>
#include <cstdlib>

void use();

namespace {

int mistakes = 0;
void check(bool good, const char* what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    mistakes++;
}
void report(const char* line) {
    std::printf("report: %s\n", line);
    mistakes++;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 255;
    mpit::set_report_handler(&report);
    int provided = 0, index = -1, count = 0, categories = -1;
    MPI_T_pvar_session session{};
    MPI_T_pvar_handle handle{};
    unsigned long long value = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check(MPI_T_pvar_get_index(argv[1], MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, "the variable is not there");
    check(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session");
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, "handle");
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, "start");
    use();
    check(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, "read");
    check(value == std::strtoull(argv[2], nullptr, 10), "the value");
    MPI_T_category_get_num(&categories);
    check(categories == std::atoi(argv[3]), "the number of categories");
    MPI_T_finalize();
    return mistakes;
}
