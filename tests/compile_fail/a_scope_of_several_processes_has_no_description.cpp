// [CVAR-07] A scope of several processes needs a description that says who must write what.
// EXPECT: a scope of group or all needs a description of the processes that must write the variable
// EACH: group | group_equal | all | all_equal
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> limit{this, "LIMIT", "", {.scope = mpit::scope::EACH}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
