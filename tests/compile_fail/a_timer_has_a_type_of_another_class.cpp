// [PCLASS-12][PCLASS-15][DT-01] A timer is double, unsigned, unsigned long or unsigned long long.
// EXPECT: a timer must be double, for seconds, or unsigned, unsigned long or unsigned long long, for nanoseconds
// EACH: int | mpit::exact<std::int32_t> | mpit::exact<std::int64_t> | mpit::exact<std::uint32_t>
// EACH: mpit::exact<std::uint64_t> | mpit::count | char[8] | float | bool | short | long
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::timer_of<EACH> x{this, "x", "Time, in nanoseconds"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
