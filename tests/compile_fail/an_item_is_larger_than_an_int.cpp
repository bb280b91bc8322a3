// [DT-07] A tool sees the items of an enumeration as MPI_INT.
// EXPECT: an item of an enumeration does not fit an int
#include <mpit/mpit.hpp>

enum class lamp : long long { off, on = 1ll << 40 };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::state<lamp> light{this, "light", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
