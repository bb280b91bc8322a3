// An item labels the element with the number of its value.
// EXPECT: an_item_of_the_labels_is_not_the_number_of_an_element
// EACH: 2 | -1
#include <mpit/mpit.hpp>

enum class lamp { off, on = EACH };
constexpr auto enumeration_of(lamp) { return mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}}); }

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<unsigned long[2]> x{this, "x", "Of each lamp", {.labels = mpit::enumeration_of<lamp>}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
