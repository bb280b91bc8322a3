// The default that an adopted enumeration declares is one of its items.
// EXPECT: the default value is not a member of the enumeration
#include <mpit/mpit.hpp>

enum class lamp { off, on };
template <>
inline constexpr auto mpit::enumeration_of<lamp> =
    mpit::enumerators<lamp>("lamp", {{"off", lamp::off}, {"on", lamp::on}});

lamp storage = lamp::on;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<lamp> one{this, "LAMP", "Which", {.storage = &storage, .default_value = static_cast<lamp>(2)}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.one.get() == lamp::on; }
