// EXPECT: the initial value is outside the range
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One variable"> {
    mpit::control<int> limit{this, "REFUSED_LIMIT", "Largest message sent at once", {.initial = {-1, 0, 1 << 20}}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.limit; }
