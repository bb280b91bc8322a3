// [EVT-05] The elements of an array in a payload have a datatype of MPI, too.
// EXPECT: a member of a payload must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, mpit::exact<...>, char, an enumeration of the size of int, or an array of one of these
// EACH: short | bool | float
#include <mpit/mpit.hpp>

struct arrival {
    int source;
    EACH wrong[4];
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
