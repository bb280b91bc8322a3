// The language has explicit instantiations in a namespace around the template alone; both compilers say so.
// EXPECT: explicit instantiation of
// EACH: extern template struct | template struct
#include <mpit/mpit.hpp>

namespace refused {

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int> limit{this, "LIMIT", "A number"};
};
EACH mpit::tree_holder<refused_variables>; // HERE
inline constexpr auto& variables = mpit::registered<refused_variables>;

} // namespace refused

int main() { return refused::variables.limit; }
