// The minimum of an array is not above its maximum: they are settings of their own, which the tree shows together.
// EXPECT: the minimum is above the maximum
#include <mpit/mpit.hpp>
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int[2]> limits{this, "LIMITS", "Two numbers", {.minimum = 9, .maximum = 1}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;
int main() { return refused.name.length > 0; }
