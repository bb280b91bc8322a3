// Each power of two has 1 to 16 buckets.
// EXPECT: the .scale of a histogram must be from 0 to 4
// EACH: -1 | 5
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::histogram<double, mpit::buckets{.scale = EACH}> x{this, "x", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
