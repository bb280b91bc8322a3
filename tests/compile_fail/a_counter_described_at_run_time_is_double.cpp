// A counter over a cell of the library counts whole units.
// EXPECT: a sum in a cell must be unsigned, unsigned long or unsigned long long, an aggregate or a timer can also be double
#include <mpit/dynamic.hpp>

int main() {
    static mpit::counter_cell sent;
    mpit::dynamic group{"refused", "One mistake"};
    return group.counter<double>("sent", "Messages sent", {.cell = &sent}) == mpit::result::success ? 0 : 1;
}
