// [EVT-05] Every element of a payload has a datatype of MPI.
// EXPECT: a member of a payload must be int, unsigned, unsigned long, unsigned long long, double, long, mpit::count, mpit::exact<...>, char, an enumeration of the size of int, or an array of one of these
// EACH: short | unsigned short | signed char | unsigned char | bool | float | narrow | wide
#include <mpit/mpit.hpp>

#include <cstdint>

enum class narrow : std::uint8_t {};
enum class wide : long {};
struct arrival {
    int source;
    EACH wrong;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
