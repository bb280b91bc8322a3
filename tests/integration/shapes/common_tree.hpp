// A tree that a program and its libraries include: each has its own, or, with SHARED_TREE, the first library has it for
// all.
#pragma once

#include <mpit/mpit.hpp>

struct common_variables : mpit::category<"common", "Declared in a header"> {
    mpit::counter<> calls{this, "common_calls", "Calls"};
    mpit::control<int> limit{this, "common_limit", "A number", {.initial = 5}};
};
#ifdef SHARED_TREE
[[gnu::visibility("default")]] extern mpit::shared_tree<common_variables> common_tree;
inline constexpr auto& common = mpit::shared<common_tree>;
#else
inline constexpr auto& common = mpit::registered<common_variables>;
#endif
