// [DT-07] An unsigned item that only fits an unsigned would be seen as a negative MPI_INT.
// EXPECT: an item of an enumeration does not fit an int
#include <mpit/mpit.hpp>

enum class lamp : unsigned { off, on = 0xffffffff };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::state<lamp> light{this, "light", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
