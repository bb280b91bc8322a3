// [STR-09][CAT-03] The name of a category has at least one character.
// EXPECT: a name is empty
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<"", "Without a name"> {
        mpit::counter<> calls{this, "calls", "Calls made"};
    } inner{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
