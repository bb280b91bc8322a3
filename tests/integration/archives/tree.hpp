// The header of a library that comes as an archive. With HELD_ELSEWHERE the tree is in one member of the archive alone,
// and with SHARED_TREE shared objects that are linked with the library use it as well.
#pragma once

#include <mpit/mpit.hpp>

struct archived_variables : mpit::category<"archived", "A library that comes as an archive"> {
    mpit::counter<> calls{this, "archived_calls", "Calls"};
};
#ifdef SHARED_TREE
[[gnu::visibility("default")]] extern mpit::shared_tree<archived_variables> archived_tree;
inline constexpr auto& archived = mpit::shared<archived_tree>;
#else
#ifdef HELD_ELSEWHERE
extern template struct mpit::tree_holder<archived_variables>;
#endif
inline constexpr auto& archived = mpit::registered<archived_variables>;
#endif
