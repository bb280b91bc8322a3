// [PCLASS-15] A text has no starting value that a tool could go back to.
// EXPECT: a text that is computed must be readonly and continuous
// EACH: .readonly = false | .continuous = false
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::generic, char[8]> version{
        this, "version", "Version of the library", {.value = [](char (&)[8]) {}, EACH}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
