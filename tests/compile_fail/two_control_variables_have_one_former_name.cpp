// No two control variables of a tree had the same name before.
// EXPECT: two control variables of one tree have the same former name
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> first{this, "FIRST_LIMIT", "A number", {.renamed_from = "LIMIT"}};
    struct : mpit::category<"refused_too", "One mistake"> {
        mpit::control<int> second{this, "SECOND_LIMIT", "A number", {.renamed_from = "LIMIT"}};
    } inside{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.first; }
