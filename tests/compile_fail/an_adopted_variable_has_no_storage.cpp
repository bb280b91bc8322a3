// An adopted variable says where its value is.
// EXPECT: an adopted variable needs its storage
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<int> limit{this, "LIMIT", "A number"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
