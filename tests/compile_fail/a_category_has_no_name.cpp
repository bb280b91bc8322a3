// [STR-09][CAT-03] The name of a category has at least one character.
// EXPECT: a name is empty or too long or has a space or a character that is not printable
// EACH: "" | "two words" | "tab\t"
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<EACH, "Without a name"> {
        mpit::counter<> calls{this, "calls", "Calls made"};
    } inner{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
