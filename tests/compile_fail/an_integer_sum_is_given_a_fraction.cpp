// [PCLASS-11] An integer sum would lose the fraction of an amount.
// EXPECT: the amount that is added to an integer sum must be an integer
// EACH: 0.5 | 0.5f
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::aggregate<> bytes{this, "bytes", "Bytes sent"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { refused.bytes += EACH; }
