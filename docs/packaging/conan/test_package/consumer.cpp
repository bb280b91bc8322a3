#include <mpit/mpi_t.h>
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

struct consumer_variables : mpit::category<"consumer", "The variables of this program"> {
    mpit::counter<> calls{this, "calls", "Calls"};
};
inline constexpr auto& variables = mpit::registered<consumer_variables>;

int main() {
    ++variables.calls;
    int provided = 0;
    int count = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 1;
    if (MPI_T_pvar_get_num(&count) != MPI_SUCCESS) return 1;
    MPI_T_finalize();
    return count == 1 ? 0 : 1;
}
