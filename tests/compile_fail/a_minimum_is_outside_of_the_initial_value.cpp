// The range of a number is part of its initial value.
// EXPECT: the range must follow the initial value: .initial = {value, minimum, maximum}
// EACH: {.initial = 5, .minimum = 1} | {.initial = 5, .maximum = 9} | {.maximum = 9}
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> limit{this, "LIMIT", "A number", EACH}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
