// A policy stands before the variables that it is for.
// EXPECT: the policy of a category must be declared before its members
#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> limit{this, "LIMIT", "A number"};
    mpit::policy names{this, {.environment = "MINE_*"}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.limit; }
