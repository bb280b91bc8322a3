// [CVAR-05] A category has one control variable of a name, whatever their types are.
// EXPECT: two control variables of one tree have the same name
// EACH: mpit::control<int> | mpit::control<double> | mpit::control<int[2]> | mpit::control<char[8]>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> number{this, "LIMIT", "A number"};
    EACH other{this, "LIMIT", "Something else"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
