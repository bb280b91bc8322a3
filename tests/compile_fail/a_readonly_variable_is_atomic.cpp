// [PVAR-10] A variable that no tool can reset cannot be read and reset in one step.
// EXPECT: a performance variable cannot be both readonly and atomic
// EACH: mpit::counter<> | mpit::aggregate<double> | mpit::timer | mpit::level<> | mpit::size<> | mpit::percentage<>
// EACH: mpit::high_watermark<> | mpit::low_watermark<> | mpit::generic<mpit::count>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH x{this, "x", "Contradicts itself", {.readonly = true, .atomic = true}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
