// Only some classes of performance variables begin with a value, mark a level or have a function.
// EXPECT: performance variables of this class do not have this setting
// EACH: mpit::counter<> x{this, "x", "Events", {.initial = 8}};
// EACH: mpit::counter<> x{this, "x", "Events", {.labels = "a"}};
// EACH: mpit::timer x{this, "x", "A time", {.of = &depth}};
// EACH: mpit::level<> x{this, "x", "A level", {.value = &answer}};
// EACH: mpit::generic<int> x{this, "x", "A number", {.of = &depth}};
// EACH: mpit::computed<mpit::performance_class::level, unsigned> x{this, "x", "A level", {.value = &answer, .initial = 8}};
#include <mpit/mpit.hpp>

unsigned answer();

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::level<> depth{this, "depth", "A level"};
    EACH // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
