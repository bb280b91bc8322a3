// The minimum of a control variable is not above its maximum.
// EXPECT: the minimum is above the maximum
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.initial = {5, 9, 1}}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .range = {9, 1}}};
#include <mpit/mpit.hpp>

inline int stored = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
