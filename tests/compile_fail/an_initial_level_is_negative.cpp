// [PCLASS-03][PCLASS-04][PCLASS-05] A level, a size or a percentage never begins below zero.
// EXPECT: the initial value is negative
// EACH: level<double> | size<double> | high_watermark<double> | low_watermark<double> | percentage<>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH used{this, "used", "What is in use", {.initial = -0.5}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
