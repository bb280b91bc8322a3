// A name that a control variable had before could be typed as well.
// EXPECT: a name is empty or too long or has a space or a character that is not printable
// EACH: mpit::control<int> limit{this, "LIMIT", "A number", {.renamed_from = ""}};
// EACH: mpit::control<char[8]> text{this, "TEXT", "A text", {.renamed_from = "OLD TEXT"}};
// EACH: mpit::control_ref<int> limit{this, "LIMIT", "A number", {.storage = &stored, .renamed_from = "OLD\tLIMIT"}};
#include <mpit/mpit.hpp>
inline int stored = 5;
struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE
int main() { return refused.name.length > 0; }
