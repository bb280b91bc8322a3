// [CVAR-09] Tools see an adopted enumeration with the names of its items as well.
// EXPECT: an adopted enumeration needs a function enumeration_of(E) beside it, or a specialisation of mpit::enumeration_of, before it is adopted
// EACH: lamp | lamp, int
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

enum class lamp { off, on };

template <class T, class Storage = T> Storage storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<EACH> shown{this, "SHOWN", "A lamp", {.storage = &storage<EACH>}}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
