// [DT-07] A variable of an enumeration type needs the names of its items.
// EXPECT: an enumeration type needs a function enumeration_of(E) beside it, or a specialisation of mpit::enumeration_of, before a variable holds it
// EACH: control<lamp> | state<lamp> | control<lamp, MPI_ABI_Comm*>
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

enum class lamp { off, on };

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH light{this, "light", "A lamp"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
