// The compiler tells up to 24 members apart.
// EXPECT: a payload can have at most 24 members
#include <mpit/mpit.hpp>

struct arrival {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
