// [PCLASS-10][PCLASS-15] A counter counts whole events.
// EXPECT: a counter cannot be double, because it counts whole events
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<double> x{this, "x", "Events"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
