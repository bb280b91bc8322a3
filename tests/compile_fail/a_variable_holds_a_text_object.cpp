// [DT-06] A declared text is an array of characters, with its largest length.
// EXPECT: a text must be declared as mpit::control<char[N]>, or adopted by mpit::control_ref
// EACH: std::string | char* | const char*
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

#include <string>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control<EACH> device{this, "DEVICE", "A text"}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
