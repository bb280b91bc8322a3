// Another library with functions of its own, from stacked.cpp, on top of the MPI: whichever comes first stands on the
// other one.
#include <mpit/mpit.hpp>

struct other_variables : mpit::category<"other", "Another library"> {
    mpit::control<int> limit{this, "OTHER_LIMIT", "A variable of another library", {.initial = {5}}};
};
inline constexpr auto& other = mpit::registered<other_variables>;

extern "C" [[gnu::visibility("default")]] int other_limit() { return other.limit; }
