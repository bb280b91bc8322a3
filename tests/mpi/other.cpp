// Another library with a roof of its own on top of the MPI: whichever comes first stands on the other one.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/mpit.hpp>
#include <mpit/over_mpi.hpp>

struct other_variables : mpit::category<"other", "Another library"> {
    mpit::control<int> limit{this, "OTHER_LIMIT", "A variable of another library", {.initial = {5}}};
};
inline constexpr auto& other = mpit::registered<other_variables>;

extern "C" [[gnu::visibility("default")]] int other_limit() { return other.limit; }
