// An initial value that is not a number would be outside every range.
// EXPECT: the initial value is not a number
// EACH: mpit::control<double> part{this, "PART", "A number", {.initial = __builtin_nan("")}};
// EACH: mpit::control<double[2]> parts{this, "PARTS", "Two numbers", {.initial = {0.5, __builtin_nan("")}}};
// EACH: mpit::level<double> load{this, "load", "A number", {.initial = __builtin_nan("")}};
// EACH: mpit::percentage<> used{this, "used", "A number", {.initial = __builtin_nan("")}};
// EACH: mpit::generic<double> any{this, "any", "A number", {.initial = __builtin_nan("")}};
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
