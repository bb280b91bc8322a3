// A name of the environment has characters that a program can set, and at most one star.
// EXPECT: a name of the environment has a space an equals sign or a character that is not printable
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.environment = "LIMIT=5"}};
// EACH: mpit::control<char[8]> name{this, "NAME", "A text", {.environment = "OLD_NAME, NEW NAME"}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .environment = "GRÖSSE"}};
#include <mpit/mpit.hpp>

inline int stored = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
