// A plugin that is opened while tools look: its variables come behind all that are there.
#include <mpit/mpit.hpp>

struct late_variables : mpit::category<"late", "A plugin"> {
    mpit::control<int> depth{this, "LATE_DEPTH", "A variable of a plugin", {.initial = {12}}};
    mpit::counter<> calls{this, "late_calls", "Calls of a plugin"};
};
inline constexpr auto& late = mpit::registered<late_variables>;

extern "C" [[gnu::visibility("default")]] int late_depth() { return late.depth; }
