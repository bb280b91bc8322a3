// The levels of objects are in cells of their own, which no other variable can name.
// EXPECT: a watermark that is an array or is bound to MPI objects cannot have .of
// EACH: unsigned long, MPI_ABI_Comm* | unsigned long[2]
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::level<unsigned long> level{this, "x", "A queue"};
    mpit::high_watermark<EACH> x{this, "x", "Longest queue", {.of = &level}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
