// [PVAR-05] A tree has one performance variable of a name and class, in whatever categories they are.
// EXPECT: two performance variables of one tree have the same name and class
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<> calls{this, "calls", "Calls made"};
    struct : mpit::category<"inner"> {
        mpit::counter<> calls{this, "calls", "Calls made"};
    } inner{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
