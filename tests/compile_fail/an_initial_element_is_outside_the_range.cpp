// Each initial value of an array is inside of its range: a setting of its own, which the tree shows together with them.
// EXPECT: the initial value is outside the range
// EACH: .initial = {1, 11}, .maximum = 10 | .initial = {1, 2}, .minimum = 2 | .minimum = 1
#include <mpit/mpit.hpp>
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int[2]> limits{this, "LIMITS", "Two numbers", {EACH}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;
int main() { return refused.name.length > 0; }
