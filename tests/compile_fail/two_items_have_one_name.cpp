// [DT-11] The names of the items of an enumeration differ.
// EXPECT: two items of an enumeration have the same name
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"off", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::state<lamp> light{this, "light", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
