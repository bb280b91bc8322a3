// [PCLASS-07][PCLASS-15][DT-01] A low watermark is unsigned, unsigned long, unsigned long long or double.
// EXPECT: a level, a size or a watermark must be unsigned, unsigned long, unsigned long long or double, a percentage double
// EACH: int | mpit::exact<std::int32_t> | mpit::exact<std::int64_t> | mpit::exact<std::uint32_t>
// EACH: mpit::exact<std::uint64_t> | mpit::count | char[8] | float | bool | short | long
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::low_watermark<EACH> x{this, "x", "What is in use"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
