// A library that describes its variables when the first tool comes.
#include <mpit/dynamic.hpp>

#include <mpit/mpi_t.hpp>

#include <new>

#define MPI_ERR_OTHER 15
alignas(mpit::dynamic) static unsigned char room[sizeof(mpit::dynamic)];
static const struct {
    const char* name;
    const char* help;
    int value;
} all_parameters[]{{"TX_SIZE", "Entries of a queue", 256}};

@block@

int main() {
    int provided = 0;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && is_added == mpit::result::success ? 0 : 1;
}
