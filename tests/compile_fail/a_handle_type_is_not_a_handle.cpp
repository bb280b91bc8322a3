// The value of a handle fits the key by which its cell is found.
// EXPECT: a handle must be a number or an address of at most eight bytes
#include <mpit/mpit.hpp>

struct pair {
    long first, second;
};

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::counter<unsigned, mpit::object<mpit::binding::communicator, pair>> x{this, "x", "Of each object"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
