// [DT-15] An initial value of an enumeration is one of its items.
// EXPECT: the initial value is not a member of the enumeration
// EACH: mpit::control<lamp> light{this, "LIGHT", "A lamp", {.initial = lamp{7}}};
// EACH: mpit::state<lamp> light{this, "light", "A lamp", {.initial = lamp{7}}};
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

struct refused_variables : mpit::category<"refused", "One mistake"> {
    EACH // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
