// A member with a function, which includes the header of its library like every other one.
#include "tree.hpp"

extern "C" [[gnu::visibility("default")]] int function_of_archive() { return 42; }
