// The range of an adopted variable is one setting.
// EXPECT: the range of an adopted variable must be written as .range = {minimum, maximum}
// EACH: .minimum = 1 | .maximum = 9
#include <mpit/mpit.hpp>

int storage = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &storage, EACH}}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
