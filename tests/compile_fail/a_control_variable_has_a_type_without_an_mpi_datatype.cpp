// [DT-01] A control variable has one of the eleven types of the standard, or is an enumeration.
// EXPECT: a control variable must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, mpit::exact<...>, bool, char[N] or an enumeration
// EACH: float | short | unsigned short | char | signed char | unsigned char | long double | void*
// EACH: user
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct user {};

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<EACH> x{this, "X", "A value"}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
