// Two items of one value could not be told apart in a value.
// EXPECT: two items of an enumeration have the same value
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"dark", lamp::off}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::state<lamp> light{this, "light", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
