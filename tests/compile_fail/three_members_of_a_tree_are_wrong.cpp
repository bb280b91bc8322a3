// All mistakes of a tree are reported at once, each at its own line.
// EXPECT: a name has a space or a character that is not printable
// EXPECT: the initial value is outside the range
// EXPECT: a name of the environment is empty
#include <mpit/mpit.hpp>
struct refused_variables : mpit::category<"refused", "Three mistakes"> {
    mpit::counter<> sent{this, "messages sent", "Messages sent"}; // FIRST OF GCC
    mpit::control<int> limit{this, "LIMIT", "A number", {.initial = {-1, 0, 5}}}; // FIRST
    struct : mpit::category<"refused_too"> {
        mpit::control<char[8]> device{this, "DEVICE", "A text", {.environment = "DEVICE,"}}; // FIRST
    } inside{this};
    mpit::timer waiting{this, "waiting", "Time spent waiting"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE
int main() { return refused.limit; }
