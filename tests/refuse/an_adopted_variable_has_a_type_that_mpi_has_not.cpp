// [DT-01] An adopted variable has one of the ten numeric types of the standard.
// EXPECT: an adopted variable is int, unsigned, unsigned long, unsigned long long, double, long, mpit::count or mpit::exact<...>
// EACH: float | bool | short | lamp | char[8]
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<EACH> x{this, "X", "A value"};
};
inline constexpr auto& refused = mpit::enrolled<refused_variables>;

int main() { return refused.name.length > 0; }
