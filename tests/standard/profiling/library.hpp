// A library of three source files that all include the roof, as happens where each subsystem of a runtime has its own
// interface file. Its functions have C linkage, for clients in C.
#pragma once

#include <mpit/mpit.hpp>

struct arrived_message {
    int tag;
};
struct library_variables : mpit::category<"library", "Variables of a library of three source files"> {
    mpit::counter<> messages{this, "messages", "Messages"};
    mpit::control<int> limit{this, "LIMIT", "A number", {.initial = 5}};
    mpit::event<arrived_message> arrived{this, "arrived", "A message came"};
};
inline constexpr auto& library = mpit::registered<library_variables>;

using any_function = void (*)();
