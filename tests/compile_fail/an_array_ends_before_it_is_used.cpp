// The elements of an array are there as long as the array is.
// EXPECT: deleted
// EACH: begin | end
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<int[2]> pair{this, "PAIR", "Two numbers"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() {
    const int* kept = refused.pair.get().EACH(); // HERE
    return *kept;
}
