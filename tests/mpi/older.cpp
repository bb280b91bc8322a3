// A library on top of a real MPI that serves tools of 2010 and 2011 as well: its own variables, by handles of that MPI,
// which are numbers in one implementation and addresses in the other.
#include <mpit/mpit.hpp>

#define MPIT_MPI_HEADER <mpi.h>
#define MPIT_C_IS_MPI 0
#include <mpit/over_mpi.hpp>
// Behind the roof.
#include <mpit/compat.hpp>

#include <cstdio>
#include <cstring>

namespace {

using communicator = mpit::object<mpit::binding::communicator, MPI_Comm>;
using window = mpit::object<mpit::binding::window, MPI_Win>;

struct older_variables : mpit::category<"older", "Seen by tools of 2011"> {
    mpit::control<int> limit{this, "OLDER_LIMIT", "A number", {.initial = 5}};
    mpit::control<int> reserved{this, "MPI_RESERVED", "Not for a library that is no MPI"};
    mpit::counter<unsigned long, communicator> messages{this, "older_messages", "Messages of a communicator"};
    mpit::counter<unsigned long, window> puts{this, "older_puts", "Puts into a window"};
};
constexpr auto& variables = mpit::registered<older_variables>;

int failures = 0;
void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    failures++;
}
#define CHECK(holds) check((holds), #holds)

// Counts on one object, through its reference.
template <class Handle, class Counter>
void count_on(Handle handle, int index, int (*convert)(Handle, MPIT_MPI_Resource*), Counter& counter,
              MPIT_MPI_Resource other) {
    MPIT_MPI_Resource resource;
    MPIT_Perfvar_session session;
    MPIT_Perfvar_handle made;
    long long value = -1;
    CHECK(convert(handle, &resource) == MPIT_SUCCESS);
    CHECK(MPIT_Perfvar_session_create(&session) == MPIT_SUCCESS);
    CHECK(MPIT_Perfvar_handle_allocate(session, index, other, &made) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_handle_allocate(session, index, resource, &made) == MPIT_SUCCESS);
    CHECK(MPIT_Perfvar_start(session, made) == MPIT_SUCCESS);
    counter[handle] += 4;
    CHECK(MPIT_Perfvar_read(session, made, &value) == MPIT_SUCCESS);
    CHECK(value == 4);
    CHECK(MPIT_Perfvar_session_free(&session) == MPIT_SUCCESS);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int memory[4] = {}, controls = -1, performances = -1, length = 0, type = 0;
    MPI_Win exposed;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &exposed);
    mpit::created<mpit::binding::communicator>(variables, MPI_COMM_WORLD);
    mpit::created<mpit::binding::window>(variables, exposed);

    CHECK(MPIT_Init() == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_get_num(&controls) == MPIT_SUCCESS);
    CHECK(MPIT_Perfvar_get_num(&performances) == MPIT_SUCCESS);
    CHECK(controls == 1);
    CHECK(performances == 2);
    MPIT_MPI_Resource of_comm, of_window;
    CHECK(MPIT_MPI_Resource_communicator(MPI_COMM_WORLD, &of_comm) == MPIT_SUCCESS);
    CHECK(MPIT_MPI_Resource_window(exposed, &of_window) == MPIT_SUCCESS);
    count_on(MPI_COMM_WORLD, 0, &MPIT_MPI_Resource_communicator, variables.messages, of_window);
    count_on(exposed, 1, &MPIT_MPI_Resource_window, variables.puts, of_comm);
    char name[MPIT_MAX_SET_NAME];
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    CHECK(MPIT_Taxon_query_variable_sets(&iterator, "OLDER_LIMIT", name, &length, &type) == MPIT_SUCCESS);
    CHECK(std::strcmp(name, "older") == 0);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);

    MPI_Win_free(&exposed);
    MPI_Finalize();
    std::printf("%d failed\n", failures);
    return failures != 0;
}
