// A payload is small enough for the queue of every registration.
// EXPECT: a payload can have at most 4096 bytes
#include <mpit/mpit.hpp>

struct arrival {
    char text[4096];
    int source;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
