// [CAT-03][CAT-13] A category cannot be inside a category of its own name, at any depth.
// EXPECT: two categories of one tree have the same name
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<"middle"> {
        struct : mpit::category<"refused"> {
            mpit::counter<> calls{this, "calls", "Calls made"};
        } inner{this};
    } middle{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
