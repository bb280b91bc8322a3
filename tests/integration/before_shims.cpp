// A program whose variables are loaded before its shims, in one source file: the note of the shims is found all the
// same, so that a value in the environment that cannot be used is reported in full, as with the shims in front.
#include "../reports_at_load.hpp"

#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstring>

namespace {

struct early_variables : mpit::category<"early", "In front of the shims"> {
    mpit::control<int> number{this, "B_NUMBER", "", {.initial = {64, 1, 4096}}};
};
constexpr auto& variables = mpit::registered<early_variables>;

} // namespace

#include <mpit/mpi_t.hpp>

int main() {
    constexpr const char* expected = "B_NUMBER=9999 in the environment is not accepted: expected a whole number from 1 "
                                     "to 4096; the control variable keeps 64\n";
    if (variables.number == 64 && std::strcmp(lines, expected) == 0) return 0;
    std::printf("%d, and the report is\n%s", static_cast<int>(variables.number), lines);
    return 1;
}
