// The kind of MPI object of a bound variable is known when it is compiled.
// EXPECT: the handle type of a bound variable needs a specialisation of mpit::binding_of, or its kind, as in mpit::object<kind, type>
// EACH: counter<unsigned, int> | counter<unsigned, user> | level<unsigned, int> | timer_of<double, int>
// EACH: percentage<float> | control<int, int> | control<int[2], int> | control<char[8], int>
#include <mpit/mpit.hpp>

struct user {};

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH x{this, "x", "Of each object"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
