// A name of 256 characters leaves no room for the null in the largest buffer that tools use.
// EXPECT: a name is longer than 255 characters
#include <mpit/mpit.hpp>

#define FIFTY "12345678901234567890123456789012345678901234567890"
#define HUNDRED FIFTY FIFTY

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<> calls{this, HUNDRED HUNDRED FIFTY "123456", "Calls made"}; // FIRST OF GCC
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
