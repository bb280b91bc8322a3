// A label too few or too many would label other elements.
// EXPECT: an_array_has_not_as_many_labels_as_elements
// EACH: counter<unsigned long[3]> | level<double[1]> | control<int[3]>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH x{this, "x", "Of each link", {.labels = "eth0,lo"}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
