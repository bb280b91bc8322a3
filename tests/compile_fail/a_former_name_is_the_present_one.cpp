// A control variable was called otherwise before than it is called now.
// EXPECT: the former name of a control variable is the same as its name
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.renamed_from = "LIMIT"}};
// EACH: mpit::control<char[8]> name{this, "NAME", "A text", {.renamed_from = "NAME"}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .renamed_from = "LIMIT"}};
#include <mpit/mpit.hpp>

inline int stored = 5;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
