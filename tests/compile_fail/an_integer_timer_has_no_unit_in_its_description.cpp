// [PCLASS-12] The description of a timer of integers names their unit.
// EXPECT: the description of an integer timer must name its unit nanoseconds
// EACH: unsigned | unsigned long | unsigned long long
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::timer_of<EACH> waiting{this, "waiting", "Time spent waiting"}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
