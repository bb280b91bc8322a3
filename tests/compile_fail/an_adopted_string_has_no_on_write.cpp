// Nobody could read a std::string while a tool writes it.
// EXPECT: an adopted string that tools may write needs an on write that stores it
#include <mpit/mpit.hpp>

#include <string>

std::string storage;

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::control_ref<std::string> device{this, "DEVICE", "A text", {.storage = &storage, .scope = mpit::scope::local}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
