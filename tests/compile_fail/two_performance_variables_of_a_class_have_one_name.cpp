// [PVAR-05] A category has one performance variable of a name and class.
// EXPECT: two performance variables of one tree have the same name and class
// EACH: counter | aggregate | level | size | high_watermark | low_watermark | generic
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH<unsigned> first{this, "queue", "A queue"};
    mpit::EACH<unsigned long> second{this, "queue", "Another queue"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
