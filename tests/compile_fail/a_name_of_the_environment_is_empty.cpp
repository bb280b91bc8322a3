// Each name of a list has at least one character.
// EXPECT: a name of the environment is empty
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.environment = "LIMIT,,OLD_LIMIT"}};
// EACH: mpit::control<char[8]> name{this, "NAME", "A text", {.environment = "OLD_NAME, "}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .environment = ","}};
#include <mpit/mpit.hpp>

inline int stored = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
