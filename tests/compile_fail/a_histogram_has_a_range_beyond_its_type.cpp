// The bounds of integers are whole numbers of at most 64 bits.
// EXPECT: the .lowest and the .highest of a histogram are exponents of two: from 0 to 63 for integers and times, from -1000 to 1000 for doubles
// EACH: .lowest = -1, .highest = 4 | .highest = 64
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::histogram<unsigned long, mpit::buckets{EACH}> x{this, "x", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
