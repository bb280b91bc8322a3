// A tree that a program and its library both include.
#pragma once

#include <mpit/mpit.hpp>

struct shared_variables : mpit::category<"shared", "Declared in a header"> {
    mpit::counter<> calls{this, "shared_calls", "Calls"};
    mpit::control<int> limit{this, "shared_limit", "A number", {.initial = 5}};
};
inline constexpr auto& shared = mpit::enrolled<shared_variables>;
