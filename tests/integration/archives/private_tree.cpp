// A member with a tree of its own, which no header names, and a function.
#include <mpit/mpit.hpp>

namespace {
struct private_variables : mpit::category<"private", "A tree in a source file"> {
    mpit::counter<> calls{this, "private_calls", "Calls"};
};
constexpr auto& own = mpit::registered<private_variables>;
} // namespace

extern "C" [[gnu::visibility("default")]] void call_private() { ++own.calls; }
