// A library of the shapes: it has variables whose names begin with LIBRARY. The standard functions come from shims.cpp.
// With COMMON_TREE it also counts in a tree that the program declares as well; with ONE_NAME its own tree has the type
// name of the other library's, and a size of its own.
#include "names.hpp"

#include <mpit/mpit.hpp>

#define NUMBER_OF_first 1
#define NUMBER_OF_second 2
#define NUMBER JOIN(NUMBER_OF_, LIBRARY)

#ifdef COMMON_TREE
#include "common_tree.hpp"
#if defined(SHARED_TREE) && NUMBER == 1
constinit mpit::shared_tree<common_variables> common_tree;
#endif
#endif

#ifdef ONE_NAME
#define PLACE lab
#else
#define PLACE LIBRARY
#endif

namespace PLACE {
struct variables : mpit::category<TEXT(LIBRARY), "A library"> {
#if defined(ONE_NAME) && NUMBER == 2
    mpit::counter<unsigned long[50]> sizes{this, TEXT(LIBRARY) "_sizes", "Calls, by size"};
#endif
    mpit::counter<> calls{this, TEXT(LIBRARY) "_calls", "Calls"};
    mpit::aggregate<double> time{this, TEXT(LIBRARY) "_time", "Half a unit for every call"};
    mpit::control<int> limit{this, TEXT(LIBRARY) "_limit", "A number", {.initial = 5}};
};
inline constexpr auto& all = mpit::registered<variables>;
} // namespace PLACE

extern "C" [[gnu::visibility("default")]] void JOIN(count_in_, LIBRARY)(int calls) {
    for (int i = 0; i < calls; i++) {
        ++PLACE::all.calls;
        PLACE::all.time += 0.5;
#ifdef COMMON_TREE
        ++common.calls;
#endif
    }
}
extern "C" [[gnu::visibility("default")]] unsigned long long JOIN(calls_in_, LIBRARY)() {
    return PLACE::all.calls.get();
}

#ifdef COMMON_TREE
extern "C" [[gnu::visibility("default")]] const void* JOIN(common_tree_of_, LIBRARY)() { return &common; }
extern "C" [[gnu::visibility("default")]] unsigned long long JOIN(common_calls_in_, LIBRARY)() {
    return common.calls.get();
}
#endif
