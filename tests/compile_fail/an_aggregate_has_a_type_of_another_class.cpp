// [PCLASS-11][PCLASS-15][DT-01] An aggregate is unsigned, unsigned long, unsigned long long or double.
// EXPECT: a counter or an aggregate must be unsigned, unsigned long or unsigned long long, an aggregate can also be double
// EACH: int | mpit::exact<std::int32_t> | mpit::exact<std::int64_t> | mpit::exact<std::uint32_t>
// EACH: mpit::exact<std::uint64_t> | mpit::count | char[8] | float | bool | short | long
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::aggregate<EACH> x{this, "x", "Amounts"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
