// An array has no more initial values than elements.
// EXPECT: an array has more initial values than elements
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int[2]> limits{this, "LIMITS", "Two numbers", {.initial = {1, 2, 3}}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
