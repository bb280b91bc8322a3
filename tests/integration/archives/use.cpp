// What the program does with the archive. COUNTS: it counts in the tree; INCLUDES: it includes the header, and does
// nothing else with it; CALLS_MEMBER: it calls a function of another member that includes the header; CALLS_PRIVATE: it
// calls the function of the member with a tree of its own.
#if defined(COUNTS) || defined(INCLUDES)
#include "tree.hpp"
#endif

extern "C" int function_of_archive();
extern "C" void call_private();

void use();
void use() {
    for (int i = 0; i < 1000; i++) {
#ifdef COUNTS
        ++archived.calls;
#endif
#ifdef CALLS_MEMBER
        function_of_archive();
#endif
#ifdef CALLS_PRIVATE
        call_private();
#endif
    }
}
