#include <mpi.h>

#include <mpit/mpit.hpp>

struct runtime_variables : mpit::category<"mympi", "The runtime of mine"> {
    mpit::counter<unsigned long, MPI_Comm> collectives{this, "collective_calls", "Collective calls on a communicator"};
};
inline constexpr auto& variables = mpit::registered<runtime_variables>;

void live(MPI_Comm comm) {
@block@
}
