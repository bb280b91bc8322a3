// [DT-01] The elements of an array have one of the ten numeric types of the standard.
// EXPECT: the elements of an array must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count or mpit::exact<...>
// EACH: float[2] | bool[2] | short[2] | lamp[2] | user[2] | int[2][2]
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});
struct user {};

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<EACH> x{this, "X", "Values"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
