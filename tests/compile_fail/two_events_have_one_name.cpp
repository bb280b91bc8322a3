// [EVT-04] Event names are unique in a tree, like those of any kind of variable.
// EXPECT: two events of one tree have the same name
#include <mpit/mpit.hpp>

struct arrival {
    int source;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> first{this, "arrived", "A message came"};
    mpit::event<arrival> second{this, "arrived", "Another message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
