// Variables in the index for torture.c, so that an agent samples a program without an MPI.
#include <mpit/mpit.hpp>

struct torture_variables : mpit::category<"torture", "What an agent samples"> {
    mpit::counter<> turns{this, "torture_turns", "Turns that were made"};
    mpit::level<> depth{this, "torture_depth", "How deep it is"};
};
static constexpr auto& torture = mpit::registered<torture_variables>;

[[gnu::constructor]] static void count() { ++torture.turns; }
