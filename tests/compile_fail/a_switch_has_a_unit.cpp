// Only numbers have a unit and a range.
// EXPECT: only a number can have a unit or a range
// EACH: mpit::control<bool> checks{this, "CHECKS", "A switch", {.initial = true, .unit = mpit::unit::bytes}};
// EACH: mpit::control<lamp> shown{this, "SHOWN", "A lamp", {.initial = lamp::on, .unit = mpit::unit::bytes}};
// EACH: mpit::control_ref<bool> adopted{this, "ADOPTED", "A switch", {.storage = &storage, .range = 1}};
#include <mpit/mpit.hpp>

enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }
bool storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
