// An adopted variable has a value already.
// EXPECT: an adopted variable cannot have .initial, because its storage has the initial value
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &storage, .initial = 5}};
// EACH: mpit::control_ref<bool> checks{this, "CHECKS", "A switch", {.storage = &checked, .initial = true}};
// EACH: mpit::control_ref<char[8]> device{this, "DEVICE", "A text", {.storage = &name_of_device, .initial = "eth0"}};
#include <mpit/mpit.hpp>

int storage = 5;
bool checked = true;
char name_of_device[8] = "";

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
