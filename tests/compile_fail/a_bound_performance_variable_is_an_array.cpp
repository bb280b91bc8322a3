// Each object has one cell of a performance variable.
// EXPECT: a variable that is bound to MPI objects cannot be an array
// EACH: counter | level | high_watermark
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH<unsigned[4], MPI_ABI_Comm*> x{this, "x", "Of each communicator"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
