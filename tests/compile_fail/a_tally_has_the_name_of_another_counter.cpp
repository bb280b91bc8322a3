// The count of a tally is a counter like any other.
// EXPECT: two performance variables of one tree have the same name and class
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<> messages{this, "messages", "Messages sent"};
    mpit::tally<> sent{this, {"messages", "Messages sent"}, {"bytes", "Bytes sent"}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
