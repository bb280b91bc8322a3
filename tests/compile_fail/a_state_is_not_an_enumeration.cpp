// [PCLASS-02][PCLASS-15][DT-01] A state is an enumeration, which a tool sees as MPI_INT.
// EXPECT: a state must be an enumeration
// EACH: int | unsigned | unsigned long | unsigned long long | double | mpit::exact<std::int32_t>
// EACH: mpit::exact<std::int64_t> | mpit::exact<std::uint32_t> | mpit::exact<std::uint64_t> | mpit::count | char[8]
// EACH: float | short | long
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::state<EACH> x{this, "x", "What goes on"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
