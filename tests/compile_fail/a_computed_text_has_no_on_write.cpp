// [PCLASS-15][HNDL-17] A text that tools may write needs a function that stores it.
// EXPECT: a computed text needs an on write unless it is readonly
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::generic, char[8]> version{
        this, "version", "Version of the library", {.value = [](char (&)[8]) {}, .readonly = false}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
