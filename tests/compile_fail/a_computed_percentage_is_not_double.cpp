// [PCLASS-05][PCLASS-15][DT-01] A percentage is double.
// EXPECT: this class of performance variable cannot have this type: see the table in MPI-5.0, 15.3.7
// EACH: int | unsigned | unsigned long | unsigned long long | mpit::exact<std::int32_t> | mpit::exact<std::int64_t>
// EACH: mpit::exact<std::uint32_t> | mpit::exact<std::uint64_t> | mpit::count | char[8] | float
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::percentage, EACH> x{this, "x", "Part in use"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
