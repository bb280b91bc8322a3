// The settings of a policy have names, as those of variables.
// EXPECT: a setting needs its name, as in {.initial = 8} or {.readonly = true}
// EACH: mpit::policy names{this, {"MYMPI_*"}};
// EACH: mpit::policy names{this, {"MYMPI_*", true}};
// EACH: mpit::policy names{this, "MYMPI_*"};
// EACH: mpit::policy names{this, "MYMPI_*", "MYMPI_"};
// EACH: mpit::policy names{this, mpit::none};
#include <mpit/policy.hpp>

#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // HERE
    mpit::control<int> limit{this, "LIMIT", "A number"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
