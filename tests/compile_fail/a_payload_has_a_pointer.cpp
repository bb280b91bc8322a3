// [EVT-05] A payload is looked at when what its library pointed to may be gone. The error names the member.
// EXPECT: a payload cannot have pointers, which may dangle when it is read: use an array, as char text[32], or a number
// EXPECT: where_it_was
// EACH: const char* | void* | int*
#include <mpit/mpit.hpp>

struct arrival {
    int source;
    EACH where_it_was;
};

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::event<arrival> arrived{this, "arrived", "A message came"}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
