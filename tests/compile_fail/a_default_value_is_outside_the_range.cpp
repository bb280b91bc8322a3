// The default that an adopted variable declares is one that it can have.
// EXPECT: the default value is outside the range
#include <mpit/mpit.hpp>

int storage = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &storage, .default_value = 5, .range = {6, 9}}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.limit.get(); }
