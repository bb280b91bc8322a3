// [PCLASS-05] A percentage begins at 1.0 or below.
// EXPECT: the initial value of a percentage must be from 0 to 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::percentage<> used{this, "used", "Part in use", {.initial = 50}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
