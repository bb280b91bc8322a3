// The sum of a tally has one of the types of an aggregate.
// EXPECT: the sum of a tally is unsigned, unsigned long, unsigned long long or double
// EACH: int | mpit::exact<std::uint64_t> | mpit::count | float | bool | long
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::tally<EACH> x{this, {"x_count", "Amounts"}, {"x", "Their sum"}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
