// An initial value is not changed silently by its conversion to the type of the variable.
// EXPECT: the initial value does not fit the type of the variable
// EACH: mpit::control<unsigned> limit{this, "LIMIT", "A number", {.initial = -1}};
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = 1l << 40}};
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = 0.5}};
// EACH: mpit::control<unsigned[2]> limits{this, "LIMITS", "Two numbers", {.initial = {1, -1}}};
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
