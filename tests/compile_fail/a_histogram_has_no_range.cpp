// A histogram begins below its end.
// EXPECT: the .lowest of a histogram must be below its .highest
// EACH: 20 | 3
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::histogram<unsigned, mpit::buckets{.lowest = 20, .highest = EACH}> x{this, "x", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
