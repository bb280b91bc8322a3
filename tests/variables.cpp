// The one object of the tree of variables.hpp, in the programs of all tests that include it.
#include "variables.hpp"

constinit everything& all = mpit::registered<everything>;
constexpr char is_tree_of_tests = 0;
