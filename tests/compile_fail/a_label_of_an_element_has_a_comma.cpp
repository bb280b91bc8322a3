// Commas are between the labels.
// EXPECT: a_label_has_a_comma
#include <mpit/mpit.hpp>

enum class lamp { off, on = 1 };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on, or dim", lamp::on}}); }

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<unsigned long[2]> x{this, "x", "Of each lamp", {.labels = mpit::enumeration_of<lamp>}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
