// A clock has ticks: more than none in a second, and stamps above zero.
// EXPECT: the ticks of a source must be positive
// EACH: .ticks_per_second = 0 | .ticks_per_second = -1 | .max_ticks = 0 | .max_ticks = -1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::source fabric{this, "fabric_clock", "Clock of the network card", {EACH}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
