// An initial value is inside the range, as every later one.
// EXPECT: the initial value is outside the range
// EACH: mpit::control<unsigned> limit{this, "LIMIT", "A number", {.initial = {11, 0, 10}}};
// EACH: mpit::control<double> part{this, "PART", "A number", {.initial = {-0.5, 0, 1}}};
// EACH: mpit::control<int, MPI_ABI_Comm*> bound{this, "BOUND", "A number", {.initial = {11, 0, 10}}};
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
