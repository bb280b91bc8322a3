// The sum of a histogram is an aggregate.
// EXPECT: a histogram must be unsigned, unsigned long, unsigned long long or double
// EACH: int | long | bool
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::histogram<EACH> x{this, "x", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
