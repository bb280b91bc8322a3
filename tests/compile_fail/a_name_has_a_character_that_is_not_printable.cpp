// A name is made of printable ASCII characters without a space, so that a tool and a shell can name it.
// EXPECT: a name has a space or a character that is not printable
// EACH: "two words" | "tab\t" | "line\n" | "na\xc3\xafve" | "\x7f"
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<> calls{this, EACH, "Calls made"}; // FIRST OF GCC
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
