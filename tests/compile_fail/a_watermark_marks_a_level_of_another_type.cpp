// A watermark compares its mark with a level of the same type.
// EXPECT: the .of of a watermark must be a level, a size or a percentage of the same type
// EACH: level<unsigned> | level<double> | level<unsigned long[2]> | counter<unsigned long>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH first{this, "x", "A queue"};
    mpit::high_watermark<unsigned long> x{this, "x", "Longest queue", {.of = &first}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
