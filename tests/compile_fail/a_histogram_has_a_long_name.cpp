// The names of the five other variables are in memory of the histogram.
// EXPECT: the_name_of_a_histogram_or_of_an_array_with_labels_has_more_than_56_characters
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::histogram<> x{this, "a_name_of_fifty_seven_characters_is_longer_than_can_be_so", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
