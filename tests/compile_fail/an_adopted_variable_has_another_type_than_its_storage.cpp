// Numbers are adopted as what they are; enumerations and switches may be kept in a whole number.
// EXPECT: an adopted variable must have the type of its storage; only an enumeration or bool can be stored in an integer
// EACH: int, long | bool, double | lamp, float
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

enum class lamp { off, on };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }

template <class T, class Storage> Storage storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<EACH> limit{this, "LIMIT", "A number", {.storage = &storage<EACH>}}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
