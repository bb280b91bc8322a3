// A library with a variable for which there may be no memory while it is loaded: those before it are there, and it is
// not.
#include <mpit/mpit.hpp>

namespace starved {

// A text that takes pages of its own.
#define TEN_TIMES(text) text text text text text text text text text text
constexpr const char* endless = TEN_TIMES(TEN_TIMES(TEN_TIMES("twenty characters, ")));

struct variables : mpit::category<"starved", "Loaded without memory"> {
    mpit::control<int> limit{this, "starved_limit", "A number", {.initial = 5}};
    mpit::counter<> calls{this, "starved_calls", endless};
};
constexpr auto& all = mpit::registered<variables>;

} // namespace starved

extern "C" [[gnu::visibility("default")]] int plugin_limit() { return starved::all.limit.get(); }
