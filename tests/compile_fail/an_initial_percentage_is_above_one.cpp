// [PCLASS-05] A percentage begins at 1.0 or below.
// EXPECT: the initial value is outside zero to one
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::percentage<> used{this, "used", "Part in use", {.initial = 50}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
