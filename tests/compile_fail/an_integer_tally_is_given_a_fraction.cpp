// The integer sum of a tally would lose the fraction of an amount.
// EXPECT: an integer sum takes integers
// EACH: 0.5 | 0.5f
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::tally<> sent{this, {"messages", "Messages sent"}, {"bytes", "Bytes sent"}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { refused.sent += EACH; }
