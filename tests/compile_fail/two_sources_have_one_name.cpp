// A tree has one source of a name, or a tool could not tell them apart.
// EXPECT: two sources of one tree have the same name
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::source first{this, "fabric_clock", "Clock of the network card"};
    mpit::source second{this, "fabric_clock", "Clock of the other network card"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
