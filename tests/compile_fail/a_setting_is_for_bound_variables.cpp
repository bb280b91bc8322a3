// A variable of the process has one cell, and nothing to locate or to count it by.
// EXPECT: only a variable that is bound to MPI objects has the settings locate and count
// EACH: mpit::counter<> x{this, "x", "Events", {.locate = [](int) -> mpit::counter_cell* { return nullptr; }}};
// EACH: mpit::control<int> x{this, "X", "One", {.locate = [](int) -> mpit::control_cell<int>* { return nullptr; }}};
// EACH: mpit::control<int[2]> x{this, "X", "Numbers", {.count = [](int) { return 1u; }}};
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
