// [DT-05] A text of N characters holds N-1 and its null.
// EXPECT: the initial text does not fit the array with its terminating null
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<char[4]> device{this, "DEVICE", "Network device", {.initial = "eth0"}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
