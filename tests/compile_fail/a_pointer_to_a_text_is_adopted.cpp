// Nobody knows when a text behind a pointer may be freed.
// EXPECT: a pointer to a text cannot be adopted, because its memory has no known owner: use char[N], std::string or mpit::control<char[N]>
// EACH: char* | const char*
// ERRORS OF GCC: 1
#include <mpit/mpit.hpp>

EACH storage = nullptr;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<EACH> device{this, "DEVICE", "A text", {.storage = &storage}}; // HERE
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
