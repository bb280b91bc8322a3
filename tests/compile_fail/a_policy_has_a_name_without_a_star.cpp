// Each name of a policy tells its variables apart.
// EXPECT: a name of the environment for several variables needs a star
#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::policy names{this, {.environment = "MINE_*, YOURS"}}; // FIRST
    mpit::control<int> limit{this, "LIMIT", "A number"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.limit; }
