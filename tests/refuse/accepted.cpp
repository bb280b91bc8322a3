// The surroundings of every mistake in this folder, without a mistake: this file has to compile.
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One variable"> {
    mpit::control<int> limit{this, "REFUSED_LIMIT", "Largest message sent at once", {.initial = {65536, 0, 1 << 20}}};
};
inline constexpr auto& refused = mpit::enrolled<refused_variables>;

int main() { return refused.limit; }
