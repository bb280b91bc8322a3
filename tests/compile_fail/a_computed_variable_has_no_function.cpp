// A computed variable names the function that computes it.
// EXPECT: a computed variable needs a function for its value
// EACH: level, unsigned | generic, char[8]
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::EACH> open{this, "open", "Files open now"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
