// Another library with functions of the interface in the same process.
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

struct other_variables : mpit::category<"other", "Another library"> {
    mpit::control<int> limit{this, "OTHER_LIMIT", "A number", {.initial = {4, 0, 8}}};
};
inline constexpr auto& other = mpit::registered<other_variables>;
extern "C" [[gnu::visibility("default")]] int other_limit() { return other.limit; }
