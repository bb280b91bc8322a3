// What is written outside means one item.
// EXPECT: two items of an enumeration have the same other spelling
// EACH: {"off", lamp::off, "dark"}, {"on", lamp::on, "light,Dark"} | {"off", lamp::off, "ON"}, {"on", lamp::on}
// EACH: {"off", lamp::off}, {"on", lamp::on, "x, off"}
#include <mpit/mpit.hpp>

enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {EACH}); }

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<lamp> shown{this, "SHOWN", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
