// Only an adopted variable has a storage and a default value, and only a string a length and a function that copies it.
// EXPECT: control variables of this kind do not have this setting
// EACH: mpit::control<int> x{this, "X", "A number", {.storage = &storage}};
// EACH: mpit::control<int> x{this, "X", "A number", {.labels = "a"}};
// EACH: mpit::control<int[4]> x{this, "X", "Four numbers", {.default_value = 8}};
// EACH: mpit::control<int[4]> x{this, "X", "Four numbers", {.range = 8}};
// EACH: mpit::control<char[8]> x{this, "X", "A text", {.length = 8}};
// EACH: mpit::control_ref<int> x{this, "X", "A number", {.storage = &storage, .read = &copy}};
#include <mpit/mpit.hpp>

int storage = 0;
void copy(char*, unsigned long) {}

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
