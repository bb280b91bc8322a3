// [PCLASS-15] A text is the library's own for each handle, which has nothing that it could keep when it is stopped.
// EXPECT: a computed text must be continuous
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::generic, char[8]> version{
        this, "version", "Version of the library", {.value = [](char (&)[8]) {}, .continuous = false}}; // FIRST
};
inline constexpr auto& refused = mpit::registered<refused_variables>; // TREE

int main() { return refused.name.length > 0; }
