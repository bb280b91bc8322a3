// [STR-09] The name of a variable of any kind has at least one character.
// EXPECT: a name is empty
// EACH: mpit::control<int> | mpit::control<int[2]> | mpit::control<char[8]> | mpit::counter<> | mpit::timer
// EACH: mpit::percentage<>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH x{this, "", "Without a name"}; // FIRST OF GCC
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
