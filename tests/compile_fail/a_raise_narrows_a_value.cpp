// The arguments of a raise become the members of the payload without a loss. For g++ a loss is a warning unless asked.
// EXPECT: narrowing
// EACH: arrived(many, 1ul) | arrived(1, source) | arrived(seconds, 1ul) | arrived.defer(many, 1ul)
// EACH: arrived.raise(mpit::safety::restricted, 1, source)
#pragma GCC diagnostic error "-Wnarrowing"
#include <mpit/mpit.hpp>

struct arrival {
    int source;
    unsigned long bytes;
};
struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main(int argc, char**) {
    const double seconds = argc;
    const long many = argc;
    const int source = argc;
    refused.EACH;
    return many > source && seconds > 0;
}
