#include <mpi.h>

#include <mpit/mpit.hpp>

struct unexpected_message {
    int source;
    int tag;
    unsigned long bytes;
};
struct freed {
    int context;
};
struct p2p_variables : mpit::category<"p2p", "Point-to-point messages"> {
    mpit::event<unexpected_message> unexpected{this, "unexpected_message", "A message that nobody has asked for"};
    mpit::event<freed, MPI_Comm> closed{this, "communicator_freed", "A communicator was freed"};
};
inline constexpr auto& p2p = mpit::registered<p2p_variables>;

void happen(int source, int tag, unsigned long bytes, MPI_Comm comm, int context) {
@block@
}
