// [DT-01] An adopted variable has one of the types of the standard, or is an enumeration.
// EXPECT: an adopted variable must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, mpit::exact<...>, bool, an enumeration, char[N] or std::string; another number can be mpit::computed
// EACH: float | short | unsigned char | long double | void*
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

EACH storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<EACH> x{this, "X", "A value", {.storage = &storage}}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
