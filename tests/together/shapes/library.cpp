// A library of the shapes: it embeds the headers, the standard functions included, under names that begin with LIBRARY.
// With SHARED_TREE it also counts in a tree that the program declares as well.
#include "names.hpp"

#include <mpit/c/mpi_t.hpp>

#ifdef SHARED_TREE
#include "shared_tree.hpp"
#endif

namespace LIBRARY {
struct variables : mpit::category<TEXT(LIBRARY), "A library"> {
    mpit::counter<> calls{this, TEXT(LIBRARY) "_calls", "Calls"};
    mpit::aggregate<double> time{this, TEXT(LIBRARY) "_time", "Half a unit for every call"};
    mpit::control<int> limit{this, TEXT(LIBRARY) "_limit", "A number", {.initial = 5}};
};
inline constexpr auto& all = mpit::enrolled<variables>;
} // namespace LIBRARY

extern "C" [[gnu::visibility("default")]] void JOIN(count_in_, LIBRARY)(int calls) {
    for (int i = 0; i < calls; i++) {
        ++LIBRARY::all.calls;
        LIBRARY::all.time += 0.5;
#ifdef SHARED_TREE
        ++shared.calls;
#endif
    }
}
extern "C" [[gnu::visibility("default")]] unsigned long long JOIN(calls_in_, LIBRARY)() {
    return LIBRARY::all.calls.get();
}

#ifdef SHARED_TREE
extern "C" [[gnu::visibility("default")]] const void* JOIN(shared_tree_of_, LIBRARY)() { return &shared; }
extern "C" [[gnu::visibility("default")]] unsigned long long JOIN(shared_calls_in_, LIBRARY)() {
    return shared.calls.get();
}
#endif
