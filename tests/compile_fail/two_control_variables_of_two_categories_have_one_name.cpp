// [CVAR-05] A tree has one control variable of a name, in whatever categories they are.
// EXPECT: two control variables of one tree have the same name
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<"first"> {
        mpit::control<int> limit{this, "LIMIT", "A number"};
    } first{this};
    struct : mpit::category<"second"> {
        struct : mpit::category<"third"> {
            mpit::control<int> limit{this, "LIMIT", "Another number"};
        } third{this};
    } second{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
