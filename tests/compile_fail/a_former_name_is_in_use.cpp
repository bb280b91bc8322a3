// Nobody else in a tree is called as a control variable was before.
// EXPECT: the former name of a control variable is the name of another one
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> present{this, "LIMIT", "A number", {.renamed_from = "OLD_LIMIT"}};
    struct : mpit::category<"refused_too", "One mistake"> {
        mpit::control<int> other{this, "OLD_LIMIT", "A number"};
    } inside{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.present; }
