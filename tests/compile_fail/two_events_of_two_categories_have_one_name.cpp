// [EVT-04] Event names are unique in a tree, also those of two categories.
// EXPECT: two events of one tree have the same name
#include <mpit/mpit.hpp>

struct arrival {
    int source;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<"expected"> {
        mpit::event<arrival> arrived{this, "arrived", "A message came"};
    } expected{this};
    struct : mpit::category<"unexpected"> {
        mpit::event<arrival> arrived{this, "arrived", "A message came"};
    } unexpected{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
