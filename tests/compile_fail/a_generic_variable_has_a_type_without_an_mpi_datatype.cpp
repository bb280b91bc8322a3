// [PCLASS-13][PCLASS-15][DT-01] A generic variable has one of the ten numeric types, or it is computed.
// EXPECT: a generic variable must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count or mpit::exact<...>; as mpit::computed it can also be char[N] or an enumeration
// EACH: float | bool | short | char[8] | lamp
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::generic<EACH> x{this, "x", "A value"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
