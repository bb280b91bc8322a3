// The header of a library that comes as an archive. With HELD_ELSEWHERE the tree is in one member of the archive alone.
#pragma once

#include <mpit/mpit.hpp>

struct archived_variables : mpit::category<"archived", "A library that comes as an archive"> {
    mpit::counter<> calls{this, "archived_calls", "Calls"};
};
#ifdef HELD_ELSEWHERE
extern template struct mpit::tree_holder<archived_variables>;
#endif
inline constexpr auto& archived = mpit::enrolled<archived_variables>;
