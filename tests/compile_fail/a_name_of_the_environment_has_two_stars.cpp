// A name of the environment has a place for the name of one variable.
// EXPECT: a name of the environment has more than one star
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.environment = "MINE_*_*"}};
// EACH: mpit::control<char[8]> name{this, "NAME", "A text", {.environment = "OLD_*, *_*"}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .environment = "**"}};
#include <mpit/mpit.hpp>

inline int stored = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
