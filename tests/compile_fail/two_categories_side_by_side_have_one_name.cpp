// [CAT-03] A tree has one category of a name.
// EXPECT: two categories of one tree have the same name
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    struct : mpit::category<"messages"> {
        mpit::counter<> sent{this, "sent", "Messages sent"};
    } sent{this};
    struct : mpit::category<"messages"> {
        mpit::counter<> received{this, "received", "Messages received"};
    } received{this};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
